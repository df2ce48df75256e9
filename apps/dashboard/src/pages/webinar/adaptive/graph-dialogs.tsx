import '../../../components/choices.css';
import { List, Modal, Text } from '@mantine/core';
import { Question } from '../../../components/dialog-form.tsx';
import { formatPlural } from '../../../format.ts';
import { useTRPCClient, type Branch, type Segment } from '../../../trpc.ts';
import { useInteractions } from '../interactions/use-interactions.ts';
import { GraphFailure } from './graph-form.tsx';
import { useGraphChanged, type EditedGraph } from './use-graph.ts';

interface DeleteSegmentDialogProps {
  /** The segment to delete. Undefined while the dialog is closed. */
  segment: Segment | undefined;
  graph: EditedGraph;
  onClose: () => void;
}

export function DeleteSegmentDialog({ segment, graph, onClose }: DeleteSegmentDialogProps) {
  return (
    <Modal opened={segment !== undefined} onClose={onClose} title={`Delete segment “${segment?.title}”`}>
      {segment ? <DeleteSegment segment={segment} graph={graph} onClose={onClose} /> : null}
    </Modal>
  );
}

function DeleteSegment({ segment, graph, onClose }: DeleteSegmentDialogProps & { segment: Segment }) {
  const { segments } = useTRPCClient();
  const changed = useGraphChanged();
  const { webinarId, id: segmentId } = segment;
  const branches = graph.branches.filter(
    ({ fromSegmentId, toSegmentId }) => fromSegmentId === segmentId || toSegmentId === segmentId,
  );
  const interactions =
    useInteractions().data?.filter((interaction) => interaction.segmentId === segmentId) ?? [];
  const titleOf = (id: string): string => graph.segments.find((one) => one.id === id)?.title ?? 'deleted';
  return (
    <Question
      confirm="Delete segment"
      act={() => segments.deleteWithBranches.mutate({ webinarId, segmentId })}
      renderFailure={(error) => <GraphFailure error={error} />}
      changed={changed}
      onClose={onClose}
    >
      {branches.length > 0 ? (
        <div>
          <Text size="sm">
            {branches.length === 1 ? 'A branch is' : `${branches.length} branches are`} deleted with it:
          </Text>
          <List size="sm" style={{ overflowWrap: 'anywhere' }}>
            {branches.map(({ id, label, fromSegmentId, toSegmentId }) => (
              <List.Item key={id}>
                {label}: from {titleOf(fromSegmentId)} to {titleOf(toSegmentId)}
              </List.Item>
            ))}
          </List>
        </div>
      ) : (
        <Text size="sm">No branch leads to it or from it.</Text>
      )}
      <Text size="sm">
        {interactions.length > 0
          ? `Its interactions stay, without a segment: ${formatPlural(interactions.length, 'interaction')}. `
          : null}
        This cannot be undone.
      </Text>
    </Question>
  );
}

interface DeleteBranchDialogProps {
  /** The branch to delete. Undefined while the dialog is closed. */
  branch: Branch | undefined;
  graph: EditedGraph;
  onClose: () => void;
}

export function DeleteBranchDialog({ branch, graph, onClose }: DeleteBranchDialogProps) {
  return (
    <Modal opened={branch !== undefined} onClose={onClose} title={`Delete branch “${branch?.label}”`}>
      {branch ? <DeleteBranch branch={branch} graph={graph} onClose={onClose} /> : null}
    </Modal>
  );
}

function DeleteBranch({ branch, graph, onClose }: DeleteBranchDialogProps & { branch: Branch }) {
  const { segments } = useTRPCClient();
  const changed = useGraphChanged();
  const titleOf = (id: string): string => graph.segments.find((one) => one.id === id)?.title ?? 'deleted';
  const params = { webinarId: branch.webinarId, branchId: branch.id };
  return (
    <Question
      text={
        <>
          It leads from {titleOf(branch.fromSegmentId)} to {titleOf(branch.toSegmentId)}. Viewers who have
          taken it stay where they are. This cannot be undone.
        </>
      }
      confirm="Delete branch"
      apiCall={{ operation: 'DELETE /webinars/{webinarId}/branches/{branchId}', params }}
      act={() => segments.branches.delete.mutate(params)}
      renderFailure={(error) => <GraphFailure error={error} />}
      changed={changed}
      onClose={onClose}
    />
  );
}
