import { Anchor, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconEye, IconRefresh, IconUser } from '@tabler/icons-react';
import { MoreMenu } from '../../components/more-menu.tsx';
import { useCopy } from '../../components/use-copy.ts';
import { failureOf } from '../../failure.ts';
import type { ListedDelivery, Registrant } from '../../trpc.ts';
import type { DeliverySearch } from './search.ts';
import { sendAgainReason } from './send-again.ts';
import { useSendAgain } from './use-delivery.ts';

interface DeliveryMenuProps {
  delivery: ListedDelivery;
  attendee: Registrant | undefined;
  show: (change: DeliverySearch) => void;
}

/** Actions of a delivery in the list. */
export function DeliveryMenu({ delivery, attendee, show }: DeliveryMenuProps) {
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
