import { Modal } from '@mantine/core';
import { Question } from '../../../components/dialog-form.tsx';
import { useTRPCClient, type Branch } from '../../../trpc.ts';
import { GraphFailure } from './graph-failure.tsx';
import { useGraphChanged, type EditedGraph } from './use-graph.ts';

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
      onDone={async () => {
        await changed();
        onClose();
      }}
      onClose={onClose}
    />
  );
}
