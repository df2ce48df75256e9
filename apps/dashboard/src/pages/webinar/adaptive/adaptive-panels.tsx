import { useState } from 'react';
import { GuardedDrawer } from '../../../components/unsaved-guard.tsx';
import { Notice } from '../../../components/notice.tsx';
import { BranchForm } from './branch-form.tsx';
import { SegmentForm } from './segment-form.tsx';
import { useAdaptiveSearch } from './use-adaptive-search.ts';
import type { EditedGraph } from './use-graph.ts';

/** The panel of a segment or branch. One is open at a time. */
export function AdaptivePanels({ graph }: { graph: EditedGraph }) {
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

interface PanelBodyProps {
  graph: EditedGraph;
  onDirty: (isDirty: boolean) => void;
}

function PanelBody({ graph, onDirty }: PanelBodyProps) {
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
