import { Button, Group, Modal, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormApiCall } from '../../../components/form-actions.tsx';
import { useTRPC, type Rule } from '../../../trpc.ts';
import { useWebinarId } from '../use-webinar.ts';

interface DeleteRuleDialogProps {
  /** The rule to delete. Undefined while the dialog is closed. */
  rule: Rule | undefined;
  onClose: () => void;
}

export function DeleteRuleDialog({ rule, onClose }: DeleteRuleDialogProps) {
  return (
    <Modal opened={rule !== undefined} onClose={onClose} title={`Delete “${rule?.name}”`}>
      {rule ? <DeleteRule rule={rule} onClose={onClose} /> : null}
    </Modal>
  );
}

function DeleteRule({ rule, onClose }: { rule: Rule; onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const webinarId = useWebinarId();
  const { mutate, isPending, error } = useMutation(
    trpc.automations.rules.delete.mutationOptions({
      onSuccess: async () => {
        await queryClient.invalidateQueries(trpc.automations.rules.list.pathFilter());
        onClose();
      },
    }),
  );
  return (
    <Stack gap="md">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        The rule stops at once: nothing more is sent to <code>{rule.action.url}</code>. Deliveries of it that
        still wait are cancelled, its timers do not come, and its secret is gone. Its executions and
        deliveries stay readable. This cannot be undone; to pause, switch the rule off instead.
      </Text>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall
          call={{
            operation: 'DELETE /webinars/{webinarId}/automations/{ruleId}',
            params: { webinarId, ruleId: rule.id },
          }}
        />
        <Button variant="default" onClick={onClose} data-autofocus>
          Cancel
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate({ webinarId, ruleId: rule.id })}>
          Delete rule
        </Button>
      </Group>
    </Stack>
  );
}
