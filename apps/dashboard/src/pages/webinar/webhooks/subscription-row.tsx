import { Menu, Switch, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconPencil, IconRefresh } from '@tabler/icons-react';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { failureOf } from '../../../failure.ts';
import { useTRPC, type NewestDelivery } from '../../../trpc.ts';
import { HealthBadge } from '../../source/health-badge.tsx';
import { SourceLink, SourceMenu } from '../../source/source-link.tsx';
import type { Source } from '../../source/source.ts';
import styles from '../../source/source-name.module.css';
import { LastDelivery } from './last-delivery.tsx';
import type { SubscriptionDialog } from './subscription-dialogs.tsx';

interface SubscriptionRowProps {
  source: Source;
  /** By the id of the source. Undefined while they are loading. */
  newest: ReadonlyMap<string, NewestDelivery> | undefined;
  onOpen: (dialog: SubscriptionDialog) => void;
}

export function SubscriptionRow({ source, newest, onOpen }: SubscriptionRowProps) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { id: webhookId, webinarId, name, url, isEnabled, eventTypes } = source;
  const { mutate, isPending } = useMutation(
    trpc.webhooks.update.mutationOptions({
      onSettled: () => queryClient.invalidateQueries(trpc.webhooks.pathFilter()),
      onError: (error) =>
        notifications.show({
          color: 'red',
          title: `“${name}” is unchanged`,
          message: failureOf(error).message,
        }),
    }),
  );
  return (
    <Table.Tr>
      <Table.Td>
        <Switch
          aria-label={`${name} active`}
          // Only switching on is done at once. Switching off asks first.
          checked={isEnabled || isPending}
          onChange={() => (isEnabled ? onOpen('off') : mutate({ webinarId, webhookId, active: true }))}
        />
      </Table.Td>
      <Table.Td maw={320}>
        <SourceLink source={source} className={styles['name']} />
        {source.description === null ? null : (
          <Text size="xs" c="dimmed" truncate title={url}>
            {url}
          </Text>
        )}
      </Table.Td>
      <Table.Td>
        <HealthBadge health={source.health} isHalted={source.isHalted} />
      </Table.Td>
      <Table.Td maw={220}>
        <Text inherit truncate title={eventTypes.join(', ')}>
          {eventTypes.join(', ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <LastDelivery name={name} newest={newest} sourceId={webhookId} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={source.createdAt} />
      </Table.Td>
      <Table.Td ta="end">
        <SourceMenu source={source} onDelete={() => onOpen('delete')}>
          <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => onOpen('edit')}>
            Edit
          </Menu.Item>
          <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => onOpen('rotate')}>
            Rotate secret
          </Menu.Item>
        </SourceMenu>
      </Table.Td>
    </Table.Tr>
  );
}
