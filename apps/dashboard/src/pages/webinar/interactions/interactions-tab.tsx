import { Skeleton, Stack } from '@mantine/core';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useWebinar } from '../use-webinar.ts';
import { InteractionPanel } from './interaction-panel.tsx';
import { InteractionsSection } from './interactions-section.tsx';
import { useInteractions, useSegments } from './use-interactions.ts';

export function InteractionsTab() {
  const webinar = useWebinar();
  const interactions = useInteractions();
  const isAdaptive = webinar.data?.data.kind === 'adaptive';
  const segments = useSegments({ isAdaptive });
  const failed = [interactions, segments].find(({ error, data }) => error && !data);
  if (failed) return <FailureNotice error={failed.error} onRetry={() => void failed.refetch()} />;
  if (!webinar.data || !interactions.data || (isAdaptive && !segments.data)) {
    return (
      <Stack aria-busy gap="md">
        <Skeleton height={44} width={320} />
        <Skeleton height={140} />
        <Skeleton height={220} />
      </Stack>
    );
  }
  const parts = {
    webinar: webinar.data.data,
    interactions: interactions.data,
    segments: segments.data ?? [],
  };
  return (
    <>
      <InteractionsSection {...parts} />
      <InteractionPanel {...parts} />
    </>
  );
}
