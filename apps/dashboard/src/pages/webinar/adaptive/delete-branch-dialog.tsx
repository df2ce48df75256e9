import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { FormApiCall } from '../../../components/form-actions.tsx';
import { useTRPC, type Branch } from '../../../trpc.ts';
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
  const trpc = useTRPC();
  const changed = useGraphChanged();
  const titleOf = (id: string): string => graph.segments.find((one) => one.id === id)?.title ?? 'deleted';
  const { mutate, isPending, error } = useMutation(
    trpc.segments.branches.delete.mutationOptions({
      onSuccess: async () => {
        await changed();
        onClose();
      },
    }),
  );
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        It leads from {titleOf(branch.fromSegmentId)} to {titleOf(branch.toSegmentId)}. Viewers who have taken
        it stay where they are. This cannot be undone.
      </Text>
      {error ? <GraphFailure error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall
          call={{
            operation: 'DELETE /webinars/{webinarId}/branches/{branchId}',
            params: { webinarId: branch.webinarId, branchId: branch.id },
          }}
        />
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button
          color="red"
          loading={isPending}
          onClick={() => mutate({ webinarId: branch.webinarId, branchId: branch.id })}
        >
          Delete branch
        </Button>
      </Group>
    </Stack>
  );
}
