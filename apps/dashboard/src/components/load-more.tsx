import { Button, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { FailureNotice } from './failure-notice.tsx';

interface LoadMoreProps {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  /** The rows before it stay when the next page cannot be loaded. */
  nextPageError?: Error | null;
  fetchNextPage: () => Promise<unknown>;
}

export function LoadMore({ hasNextPage, isFetchingNextPage, nextPageError, fetchNextPage }: LoadMoreProps) {
  if (!hasNextPage) return null;
  return (
    <Stack align="center" gap="sm" mt="sm">
      {nextPageError && !isFetchingNextPage ? <FailureNotice error={nextPageError} /> : null}
      <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
        Load more
      </Button>
    </Stack>
  );
}

interface ListResultProps {
  items: readonly unknown[] | undefined;
  error: unknown;
  refetch: () => unknown;
  /** Takes the place of the table when the list has no entries. */
  empty: ReactNode;
  /** The table. It also shows that the list is being loaded. */
  children: ReactNode;
}

/** A list: its failure, what to say when it is empty, or its table. */
export function ListResult({ items, error, refetch, empty, children }: ListResultProps) {
  if (error && !items) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return items?.length === 0 ? empty : children;
}
