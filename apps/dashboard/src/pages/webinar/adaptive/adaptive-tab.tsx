import { Button, Skeleton, Stack } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { IconGitBranch } from '@tabler/icons-react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { useTRPC, type Webinar } from '../../../trpc.ts';
import { useWebinar } from '../use-webinar.ts';
import { AdaptivePanels } from './adaptive-panels.tsx';
import { SegmentsSection } from './segments-section.tsx';
import { useGraph } from './use-graph.ts';

export function AdaptiveTab() {
  const { data, error, refetch } = useWebinar();
  if (error && !data) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!data) return <Loading />;
  return data.data.kind === 'adaptive' ? (
    <GraphEditor webinar={data.data} />
  ) : (
    <SwitchKind webinar={data.data} />
  );
}

function GraphEditor({ webinar }: { webinar: Webinar }) {
  const { graph, error, refetch } = useGraph();
  if (error) return <FailureNotice error={error} onRetry={refetch} />;
  if (!graph) return <Loading />;
  return (
    <>
      <SegmentsSection webinar={webinar} graph={graph} />
      <AdaptivePanels graph={graph} />
    </>
  );
}

const Loading = () => (
  <Stack aria-busy gap="md">
    <Skeleton height={44} width={320} />
    <Skeleton height={200} />
    <Skeleton height={160} />
  </Stack>
);

function SwitchKind({ webinar }: { webinar: Webinar }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending, error } = useMutation(
    trpc.webinars.update.mutationOptions({
      onSuccess: () => queryClient.invalidateQueries(trpc.webinars.pathFilter()),
    }),
  );
  const isPublished = webinar.status === 'published';
  return (
    <Section title="Segments" text="The videos of an adaptive webinar, and the ways between them.">
      <EmptyState
        icon={IconGitBranch}
        title="This webinar has one video"
        steps={[
          'Switch the webinar to adaptive.',
          'Add segments, each with a video of its own.',
          'Connect them with branches: by choice, by condition, or by default.',
        ]}
        action={
          isPublished ? null : (
            <Button loading={isPending} onClick={() => mutate({ webinarId: webinar.id, kind: 'adaptive' })}>
              Make it adaptive
            </Button>
          )
        }
      >
        In an adaptive webinar each attendee takes a way of their own: what they choose, watch or answer
        decides the next video.
        {isPublished
          ? ' Unpublish the webinar first, because its segments must be complete before people watch.'
          : null}
      </EmptyState>
      {error ? <FailureNotice error={error} /> : null}
    </Section>
  );
}
