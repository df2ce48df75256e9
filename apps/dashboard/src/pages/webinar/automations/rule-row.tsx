import { Switch, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { failureOf } from '../../../failure.ts';
import { useTRPC, type Rule } from '../../../trpc.ts';
import { HealthBadge } from '../../source/health-badge.tsx';
import { SourceLink } from '../../source/source-link.tsx';
import { SourceMenu } from '../../source/source-menu.tsx';
import { ruleToSource } from '../../source/source.ts';
import styles from '../../source/source-name.module.css';
import { useTriggerText } from './use-triggers.ts';
import { useWebinarId } from '../use-webinar.ts';

interface RuleRowProps {
  rule: Rule;
  /** Opens the drawer with details and secret. */
  onOpen: () => void;
  onDelete: () => void;
}

export function RuleRow({ rule, onOpen, onDelete }: RuleRowProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const webinarId = useWebinarId();
  const triggerText = useTriggerText();
  const { mutate, isPending, variables } = useMutation(
    trpc.automations.rules.update.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.automations.rules.pathFilter()),
      onError: (error) =>
        notifications.show({
          color: 'red',
          title: `“${rule.name}” is unchanged`,
          message: failureOf(error).message,
        }),
    }),
  );
  const source = ruleToSource(rule);
  const isEnabled = isPending ? (variables.enabled ?? rule.enabled) : rule.enabled;
  return (
    <Table.Tr>
      <Table.Td>
        <Switch
          aria-label={`${rule.name} enabled`}
          checked={isEnabled}
          onChange={(event) => mutate({ webinarId, ruleId: rule.id, enabled: event.currentTarget.checked })}
        />
      </Table.Td>
      <Table.Td maw={200}>
        <SourceLink source={source} className={styles['name']} />
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{triggerText(rule.trigger.type)}</Table.Td>
      <Table.Td maw={280}>
        <Text inherit truncate title={rule.action.url}>
          <code>POST {rule.action.url}</code>
        </Text>
      </Table.Td>
      <Table.Td>
        <HealthBadge health={rule.health} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={rule.createdAt} />
      </Table.Td>
      <Table.Td ta="end">
        <SourceMenu source={source} onDetails={onOpen} onDelete={onDelete} />
      </Table.Td>
    </Table.Tr>
  );
}
