import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Question } from '../../../components/question.tsx';
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
    <Question
      text={
        <>
          The rule stops at once: nothing more is sent to <code>{rule.action.url}</code>. Deliveries of it
          that still wait are cancelled, its timers do not come, and its secret is gone. Its executions and
          deliveries stay readable. This cannot be undone; to pause, switch the rule off instead.
        </>
      }
      confirm="Delete rule"
      isPending={isPending}
      error={error}
      apiCall={{
        operation: 'DELETE /webinars/{webinarId}/automations/{ruleId}',
        params: { webinarId, ruleId: rule.id },
      }}
      onConfirm={() => mutate({ webinarId, ruleId: rule.id })}
      onClose={onClose}
    />
  );
}
