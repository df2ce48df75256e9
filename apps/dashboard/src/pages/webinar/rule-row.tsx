import { Anchor, Button, Switch, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RelativeTime } from '../../components/relative-time.tsx';
import { failureOf } from '../../failure.ts';
import { useTRPC, type Rule } from '../../trpc.ts';
import { triggerTexts } from './trigger-text.ts';
import { useWebinarSearch } from './use-webinar-search.ts';

interface RuleRowProps {
  rule: Rule;
  onOpen: () => void;
  onDelete: () => void;
}

export function RuleRow({ rule, onOpen, onDelete }: RuleRowProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { webinarId } = useWebinarSearch();
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
        <Anchor
          component="button"
          type="button"
          inherit
          c="inherit"
          fw={550}
          truncate="end"
          maw="100%"
          onClick={onOpen}
        >
          {rule.name}
        </Anchor>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>{triggerTexts[rule.trigger.type]}</Table.Td>
      <Table.Td maw={280}>
        <Text inherit truncate title={rule.action.url}>
          <code>POST {rule.action.url}</code>
        </Text>
      </Table.Td>
      <Table.Td>
        <code>…{rule.secretLast4}</code>
      </Table.Td>
      <Table.Td>
        <RelativeTime at={rule.createdAt} />
      </Table.Td>
      <Table.Td ta="end">
        <Button
          variant="subtle"
          className="quiet-danger"
          size="compact-xs"
          aria-label={`Delete ${rule.name}`}
          onClick={onDelete}
        >
          Delete
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
