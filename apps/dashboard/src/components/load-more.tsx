import { Button, Group } from '@mantine/core';
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
    <Group justify="center" mt="sm">
      {nextPageError && !isFetchingNextPage ? (
        <FailureNotice error={nextPageError} onRetry={() => void fetchNextPage()} />
      ) : (
        <Button variant="default" loading={isFetchingNextPage} onClick={() => void fetchNextPage()}>
          Load more
        </Button>
      )}
    </Group>
  );
}
