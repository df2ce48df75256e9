import { Button, Stack } from '@mantine/core';
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
