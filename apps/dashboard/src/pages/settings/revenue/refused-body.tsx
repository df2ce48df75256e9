import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Facts } from '../../../components/facts.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { useTRPC } from '../../../trpc.ts';
import { PayloadBlock } from '../../delivery/payload-block.tsx';
import { refusalText, sourceTexts } from './source-texts.ts';

/** One refused event with its problems and its body. */
export function RefusedBody({ id }: { id: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    // The body may contain personal data, so it is not kept after the drawer was closed.
    trpc.revenueSources.refusedEvents.get.queryOptions({ id }, { gcTime: 0 }),
  );
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Skeleton height={320} aria-busy />;
  const { provider, reason, issues, receivedAt, body } = data.data;
  return (
    <Stack gap="lg">
      <Facts
        facts={[
          ['Source', sourceTexts(provider).title],
          ['Reason', refusalText(reason)],
          ['Received', <RelativeTime key="received" at={receivedAt} />],
          ...issues.map(({ path, message }) => [path || 'Body', message] as const),
        ]}
      />
      <PayloadBlock body={body} />
    </Stack>
  );
}
