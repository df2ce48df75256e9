import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormApiCall } from '../../../components/form-actions.tsx';
import { useTRPC, type Rule } from '../../../trpc.ts';
import { useWebinarId } from '../use-webinar.ts';

interface DeleteRuleProps {
  rule: Rule;
  onClose: () => void;
}

/** Asks before a rule is deleted. */
export function DeleteRule({ rule, onClose }: DeleteRuleProps) {
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
        <Button variant="default" onClick={onClose} data-autofocus autoFocus>
          Cancel
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate({ webinarId, ruleId: rule.id })}>
          Delete rule
        </Button>
      </Group>
    </Stack>
  );
}
