import { Group, Table, Text } from '@mantine/core';
import { CopyAction } from '../../../components/copy.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { formatSessionTime } from '../../../format.ts';
import type { DeliverySummary, Registration } from '../../../trpc.ts';
import { DeliveryBadges } from './delivery-badges.tsx';

interface RegistrationRowProps {
  registration: Registration;
  timeZone: string | undefined;
  deliveries: readonly DeliverySummary[] | undefined;
  onOpenDelivery: (deliveryId: string) => void;
}

const sources = {
  page: 'Registration page',
  api: 'API',
  bulk: 'API, bulk',
  mcp: 'AI tool',
  dashboard: 'Dashboard',
};

export function RegistrationRow({
  registration,
  timeZone,
  deliveries,
  onOpenDelivery,
}: RegistrationRowProps) {
  const { utm } = registration;
  const campaign = [utm.source, utm.medium, utm.campaign].filter(Boolean).join(' / ');
  return (
    <Table.Tr>
      <Table.Td maw={220}>
        <Group gap={4} wrap="nowrap">
          <Text inherit fw={550} truncate title={registration.name}>
            {registration.name}
          </Text>
          <CopyAction text={registration.id} label="Copy registration id" />
        </Group>
      </Table.Td>
      <Table.Td maw={240}>
        <Text inherit truncate title={registration.email}>
          {registration.email}
        </Text>
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {formatSessionTime(registration.sessionTime, timeZone)}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={registration.registeredAt} />
      </Table.Td>
      <Table.Td title={campaign ? `UTM ${campaign}` : undefined} style={{ whiteSpace: 'nowrap' }}>
        {sources[registration.source]}
      </Table.Td>
      <Table.Td>
        <DeliveryBadges deliveries={deliveries} onOpen={onOpenDelivery} />
      </Table.Td>
    </Table.Tr>
  );
}
