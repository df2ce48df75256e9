import { Table, Text } from '@mantine/core';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Status } from '../../../components/status.tsx';
import type { Webhook } from '../../../trpc.ts';
import { HealthBadge } from '../../source/health-badge.tsx';
import { SourceLink } from '../../source/source-link.tsx';
import { SourceMenu } from '../../source/source-menu.tsx';
import { webhookToSource } from '../../source/source.ts';
import styles from '../../source/source-name.module.css';

export function SubscriptionRow({ webhook }: { webhook: Webhook }) {
  const source = webhookToSource(webhook);
  return (
    <Table.Tr>
      <Table.Td>
        <Status tone={webhook.active ? 'good' : 'quiet'} isHollow={!webhook.active}>
          {webhook.active ? 'Active' : 'Off'}
        </Status>
      </Table.Td>
      <Table.Td maw={320}>
        <SourceLink source={{ ...source, name: webhook.url }} className={styles['name']} />
      </Table.Td>
      <Table.Td maw={220}>
        <Text inherit truncate title={webhook.eventTypes.join(', ')}>
          {webhook.eventTypes.join(', ')}
        </Text>
      </Table.Td>
      <Table.Td>
        <HealthBadge health={webhook.health} />
      </Table.Td>
      <Table.Td>
        <RelativeTime at={webhook.createdAt} />
      </Table.Td>
      <Table.Td ta="end">
        <SourceMenu source={source} />
      </Table.Td>
    </Table.Tr>
  );
}
