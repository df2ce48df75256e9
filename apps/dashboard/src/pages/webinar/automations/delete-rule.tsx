import { useQueryClient } from '@tanstack/react-query';
import { Question } from '../../../components/dialog-form.tsx';
import { useTRPC, useTRPCClient, type Rule } from '../../../trpc.ts';
import { useWebinarId } from '../use-webinar.ts';

interface DeleteRuleProps {
  rule: Rule;
  onClose: () => void;
}

/** Asks before a rule is deleted. */
export function DeleteRule({ rule, onClose }: DeleteRuleProps) {
  const trpc = useTRPC();
  const { automations } = useTRPCClient();
  const queryClient = useQueryClient();
  const params = { webinarId: useWebinarId(), ruleId: rule.id };
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
      apiCall={{ operation: 'DELETE /webinars/{webinarId}/automations/{ruleId}', params }}
      act={() => automations.rules.delete.mutate(params)}
      onDone={async () => {
        await queryClient.invalidateQueries(trpc.automations.rules.list.pathFilter());
        onClose();
      }}
      onClose={onClose}
    />
  );
}
