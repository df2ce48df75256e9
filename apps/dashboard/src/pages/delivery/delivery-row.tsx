import { Anchor, Group, Menu, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconEye, IconRefresh, IconUser } from '@service/icons';
import { MoreMenu } from '../../components/more-menu.tsx';
import styles from '../../components/open-row.module.css';
import { OpenButton, OpenRow } from '../../components/open-row.tsx';
import { DueTime, RelativeTime } from '../../components/relative-time.tsx';
import { Status } from '../../components/status.tsx';
import { CutText } from '../../components/table-card.tsx';
import { useCopy } from '../../components/use-copy.ts';
import { failureOf } from '../../failure.ts';
import { formatMilliseconds } from '../../format.ts';
import type { ListedDelivery, Registrant } from '../../trpc.ts';
import { SourceLink } from '../source/source-link.tsx';
import {
  DeliveryMarks,
  deliveryStyle,
  failureText,
  isUnfinished,
  sendAgainReason,
} from './delivery-status.tsx';
import type { DeliverySearch } from './search.ts';
import { useSendAgain } from './use-deliveries.ts';

interface DeliveryRowProps {
  delivery: ListedDelivery;
  /** Undefined for a test, and until it is loaded. */
  attendee: Registrant | undefined;
  /** The name of the rule or subscription. Undefined on its own page, which needs no column for it. */
  sourceName: string | undefined;
  show: (change: DeliverySearch) => void;
}

export function DeliveryRow({ delivery, attendee, sourceName, show }: DeliveryRowProps) {
  const { id, status, eventType, attempts, attemptsMax, durationMs, source } = delivery;
  return (
    <OpenRow>
      <Table.Td>
        <Status {...deliveryStyle(delivery)} />
      </Table.Td>
      <Table.Td>
        <Group gap={8} wrap="nowrap">
          <OpenButton onClick={() => show({ delivery: id })}>
            <code>{eventType}</code>
          </OpenButton>
          <DeliveryMarks delivery={delivery} />
        </Group>
      </Table.Td>
      <Table.Td maw={190}>
        <CutText text={attendee?.name} />
        <CutText isSmall text={attendee?.email} />
      </Table.Td>
      {sourceName === undefined ? null : (
        <Table.Td maw={150} className={styles['above']}>
          <CutText text={sourceName}>
            {source ? <SourceLink source={{ ...source, name: sourceName }} /> : sourceName}
          </CutText>
        </Table.Td>
      )}
      <Table.Td maw={150}>
        <CutText text={String(responseText(delivery) ?? '')}>{responseText(delivery)}</CutText>
      </Table.Td>
      <Table.Td c="dimmed" style={{ whiteSpace: 'nowrap' }}>
        {durationMs === null ? null : formatMilliseconds(durationMs)}
      </Table.Td>
      <Table.Td style={{ whiteSpace: 'nowrap' }}>
        {isUnfinished(status) ? `${attempts} of ${Math.max(attempts, attemptsMax)}` : attempts}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={delivery.createdAt} />
      </Table.Td>
      <Table.Td>{nextTryText(delivery)}</Table.Td>
      <Table.Td className={styles['above']} ta="end">
        <DeliveryMenu delivery={delivery} attendee={attendee} show={show} />
      </Table.Td>
    </OpenRow>
  );
}

/** The last response in short, or the reason why there is none. Empty before the first try. */
function responseText(delivery: ListedDelivery): string | number | null {
  if (delivery.status === 'delivering' || (delivery.attempts === 0 && delivery.failure === null)) return null;
  return delivery.status === 'success' ? delivery.responseCode : failureText(delivery);
}

function nextTryText({ status, nextAttemptAt }: ListedDelivery) {
  if (nextAttemptAt !== null) return <DueTime at={nextAttemptAt} />;
  return status === 'queued' || status === 'retrying' ? 'soon' : null;
}

interface DeliveryMenuProps {
  delivery: ListedDelivery;
  attendee: Registrant | undefined;
  show: (change: DeliverySearch) => void;
}

/** Actions of a delivery in the list. */
function DeliveryMenu({ delivery, attendee, show }: DeliveryMenuProps) {
  const { id, registrationId, source } = delivery;
  const [, copyId] = useCopy(id);
  const { sendAgain, isPending } = useSendAgain({
    onSuccess: (newId) => notifySentAgain(() => show({ delivery: newId })),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Not sent again', message: failureOf(error).message }),
  });
  const reason = sendAgainReason(delivery);
  return (
    <MoreMenu label={`More about this ${delivery.eventType} delivery`} loading={isPending} width={240}>
      <Menu.Item leftSection={<IconEye size={15} />} onClick={() => show({ delivery: id })}>
        Open
      </Menu.Item>
      <Menu.Item
        leftSection={<IconRefresh size={15} />}
        disabled={reason !== undefined}
        onClick={() => sendAgain(id, source?.webinarId)}
      >
        Send again
        {reason === undefined ? null : (
          <Text size="xs" c="dimmed">
            {reason}
          </Text>
        )}
      </Menu.Item>
      {registrationId ? (
        <Menu.Item leftSection={<IconUser size={15} />} onClick={() => show({ attendee: registrationId })}>
          Only {attendee?.name ?? 'this attendee'}
        </Menu.Item>
      ) : null}
      <Menu.Item leftSection={<IconCopy size={15} />} onClick={copyId}>
        Copy delivery id
      </Menu.Item>
    </MoreMenu>
  );
}

function notifySentAgain(onOpen: () => void): void {
  const id = notifications.show({
    message: (
      <>
        Sent again as a new delivery.{' '}
        <Anchor
          component="button"
          type="button"
          inherit
          onClick={() => {
            notifications.hide(id);
            onOpen();
          }}
        >
          Open it
        </Anchor>
      </>
    ),
  });
}
