import { Button } from '@mantine/core';
import { IconGitBranch } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { GuardedDrawer } from '../../../components/unsaved-guard.tsx';
import { useTRPC, type Webinar } from '../../../trpc.ts';
import { Skeletons } from '../skeletons.tsx';
import { useInvalidation } from '../use-invalidation.ts';
import { useAdaptiveSearch } from '../use-tab-search.ts';
import { useWebinar } from '../use-webinar.ts';
import { BranchForm } from './branch-form.tsx';
import { SegmentForm } from './segment-form.tsx';
import { SegmentsSection } from './segments-section.tsx';
import { useGraph, type EditedGraph } from './use-graph.ts';

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

const Loading = () => <Skeletons gap="md" parts={[[44, 320], [200], [160]]} />;

function SwitchKind({ webinar }: { webinar: Webinar }) {
  const trpc = useTRPC();
  const onSuccess = useInvalidation((trpc) => [trpc.webinars]);
  const { mutate, isPending, error } = useMutation(trpc.webinars.update.mutationOptions({ onSuccess }));
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

/** The panel of a segment or branch. One is open at a time. */
function AdaptivePanels({ graph }: { graph: EditedGraph }) {
  const { search, close } = useAdaptiveSearch();
  const [isDirty, setDirty] = useState(false);
  const { segment, newSegment, branch, newBranch } = search;
  const isOpen = Object.values({ segment, newSegment, branch, newBranch }).some(Boolean);
  const isNew = newSegment === true || newBranch !== undefined;
  const noun = newSegment || segment !== undefined ? 'segment' : 'branch';
  return (
    <GuardedDrawer
      opened={isOpen}
      onClose={() => close()}
      title={isNew ? `New ${noun}` : `Edit ${noun}`}
      isDirty={isOpen && isDirty}
      staysOpen={(next) =>
        next['segment'] === segment &&
        next['newSegment'] === newSegment &&
        next['branch'] === branch &&
        next['newBranch'] === newBranch
      }
    >
      {isOpen ? (
        <PanelBody key={`${segment} ${newSegment} ${branch} ${newBranch}`} graph={graph} onDirty={setDirty} />
      ) : null}
    </GuardedDrawer>
  );
}

function PanelBody({ graph, onDirty }: { graph: EditedGraph; onDirty: (isDirty: boolean) => void }) {
  const { search } = useAdaptiveSearch();
  const segment = graph.segments.find(({ id }) => id === search.segment);
  const branch = graph.branches.find(({ id }) => id === search.branch);
  if (search.newSegment) return <SegmentForm graph={graph} onDirty={onDirty} />;
  if (segment) return <SegmentForm graph={graph} stored={segment} onDirty={onDirty} />;
  if (branch)
    return (
      <BranchForm graph={graph} stored={branch} fromSegmentId={branch.fromSegmentId} onDirty={onDirty} />
    );
  if (graph.segments.some(({ id }) => id === search.newBranch))
    return <BranchForm graph={graph} fromSegmentId={search.newBranch!} onDirty={onDirty} />;
  return (
    <Notice tone="warn">This record does not exist any more. Another person may have deleted it.</Notice>
  );
}
