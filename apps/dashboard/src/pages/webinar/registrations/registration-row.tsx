import { Checkbox, Group, Table, Text, UnstyledButton } from '@mantine/core';
import { CopyAction } from '../../../components/copy.tsx';
import openRow from '../../../components/open-row.module.css';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { Status } from '../../../components/status.tsx';
import type { DeliverySummary, Registration } from '../../../trpc.ts';
import { DeliveryMark } from './delivery-mark.tsx';
import { RegistrationMenu, type RegistrationActions } from './registration-menu.tsx';
import { campaignText, sourceTexts, statusStyles } from './registration-texts.ts';
import { WatchBar } from './watch-bar.tsx';

interface RegistrationRowProps {
  registration: Registration;
  timeZone: string | undefined;
  deliveries: readonly DeliverySummary[] | undefined;
  isSelected: boolean;
  onSelect: (isSelected: boolean) => void;
  actions: RegistrationActions;
}

export function RegistrationRow({
  registration,
  timeZone,
  deliveries,
  isSelected,
  onSelect,
  actions,
}: RegistrationRowProps) {
  const { id, name, email, status, source } = registration;
  const { word, ...style } = statusStyles[status];
  const campaign = campaignText(registration);
  return (
    <Table.Tr className={openRow['row']} aria-selected={isSelected}>
      <Table.Td className={openRow['above']}>
        <Checkbox
          aria-label={`Select ${name}`}
          checked={isSelected}
          onChange={(event) => onSelect(event.currentTarget.checked)}
        />
      </Table.Td>
      <Table.Td maw={230}>
        <UnstyledButton className={openRow['open']} maw="100%" onClick={() => actions.onOpen(id)}>
          <Text span inherit fw={550} truncate display="block" title={name}>
            {name}
          </Text>
        </UnstyledButton>
        <Text size="xs" c="dimmed" truncate title={email}>
          {email}
        </Text>
      </Table.Td>
      <Table.Td>
        <Status {...style}>{word}</Status>
      </Table.Td>
      <Table.Td>
        <SessionTime at={registration.sessionTime} timeZone={timeZone} />
      </Table.Td>
      <Table.Td>
        <WatchBar attendance={registration.attendance} />
      </Table.Td>
      <Table.Td maw={170}>
        <RelativeTime at={registration.registeredAt} />
        <Text size="xs" c="dimmed" truncate title={campaign ? `UTM ${campaign}` : undefined}>
          {[sourceTexts[source], campaign].filter(Boolean).join(', ')}
        </Text>
      </Table.Td>
      <Table.Td className={openRow['above']}>
        <DeliveryMark name={name} deliveries={deliveries} onOpen={() => actions.onOpen(id)} />
      </Table.Td>
      <Table.Td className={openRow['above']} ta="end">
        <Group gap={2} wrap="nowrap" justify="flex-end">
          {status === 'cancelled' ? null : (
            <CopyAction text={registration.joinUrl} label={`Copy join link of ${name}`} />
          )}
          <RegistrationMenu registration={registration} {...actions} />
        </Group>
      </Table.Td>
    </Table.Tr>
  );
}
