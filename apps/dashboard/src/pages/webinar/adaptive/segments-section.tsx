import { Group } from '@mantine/core';
import { branchesMax, segmentsMax } from '@service/webinars/inputs';
import { IconGitBranch, IconPlus } from '@service/icons';
import { useState } from 'react';
import { EmptyState } from '../../../components/empty-state.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { Notice } from '../../../components/notice.tsx';
import { Section } from '../../../components/section.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import type { Branch, Segment, Webinar } from '../../../trpc.ts';
import { useAdaptiveSearch } from '../use-tab-search.ts';
import styles from './adaptive.module.css';
import { viaTexts } from './branch-values.ts';
import { DeleteBranchDialog, DeleteSegmentDialog } from './graph-dialogs.tsx';
import { GraphView } from './graph-view.tsx';
import { SegmentCard } from './segment-card.tsx';
import type { EditedGraph } from './use-graph.ts';

export function SegmentsSection({ webinar, graph }: { webinar: Webinar; graph: EditedGraph }) {
  const { show } = useAdaptiveSearch();
  const [leaving, setLeaving] = useState<Segment>();
  const [leavingBranch, setLeavingBranch] = useState<Branch>();
  const { segments, branches, problems } = graph;
  const params = { webinarId: webinar.id };
  const isFull = segments.length >= segmentsMax;
  const add = (
    <GuardedButton
      leftSection={<IconPlus size={15} />}
      reason={isFull ? `A webinar has at most ${segmentsMax} segments. Delete one first.` : undefined}
      onClick={() => show({ newSegment: true })}
    >
      Add segment
    </GuardedButton>
  );
  if (segments.length === 0) {
    return (
      <Section title="Segments" text="The videos of this webinar, and the ways between them.">
        <EmptyState icon={IconGitBranch} title="No segments yet" action={add}>
          A segment is one video. Add the one that every attendee sees first.
        </EmptyState>
      </Section>
    );
  }
  return (
    <Section
      title="Segments"
      text={`${segments.length} of ${segmentsMax} segments, ${branches.length} of ${branchesMax} branches.`}
      action={add}
      apiCall={{ operation: 'GET /webinars/{webinarId}/segments', params }}
    >
      <Problems webinar={webinar} graph={graph} />
      <GraphView graph={graph} onOpen={(segment) => show({ segment })} />
      <Group justify="space-between" wrap="nowrap">
        <Legend />
        <ShowApiCall call={{ operation: 'GET /webinars/{webinarId}/branches', params }} of="Branches" />
      </Group>
      <ol className={styles['list']} aria-label="Segments and their branches">
        {segments.map((segment) => (
          <SegmentCard
            key={segment.id}
            segment={segment}
            graph={graph}
            problems={problems.filter(({ segmentId }) => segmentId === segment.id)}
            onDelete={() => setLeaving(segment)}
            onDeleteBranch={setLeavingBranch}
          />
        ))}
      </ol>
      <DeleteSegmentDialog segment={leaving} graph={graph} onClose={() => setLeaving(undefined)} />
      <DeleteBranchDialog branch={leavingBranch} graph={graph} onClose={() => setLeavingBranch(undefined)} />
    </Section>
  );
}

/** Problems that belong to no segment. A draft names all of them above its tabs; a published webinar has only harmless ones. */
function Problems({ webinar, graph: { problems } }: { webinar: Webinar; graph: EditedGraph }) {
  const general = problems.filter(({ segmentId, branchId }) => segmentId === null && branchId === null);
  const isPublished = webinar.status === 'published';
  if (isPublished ? problems.length === 0 : general.length === 0) return null;
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  return (
    <div className={styles['problems']}>
      <Notice tone="warn">
        {isPublished ? <strong>{count} in segments that viewers cannot reach.</strong> : null}
        {general.map(({ message }) => (
          <div key={message} style={{ overflowWrap: 'anywhere' }}>
            {message}
          </div>
        ))}
      </Notice>
    </div>
  );
}

const Legend = () => (
  <ul className={styles['legend']}>
    {Object.entries(viaTexts).map(([via, { word, text }]) => (
      <li key={via}>
        <svg width={34} height={8} aria-hidden className={styles['sample']}>
          <path d="M1 4 H33" className={styles['line']} data-via={via} />
        </svg>
        <span>
          <strong>{word}</strong> {text}
        </span>
      </li>
    ))}
  </ul>
);
