import { ActionIcon, Anchor, Menu, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconCopy, IconDots, IconEye, IconRefresh } from '@tabler/icons-react';
import { useCopy } from '../../components/use-copy.ts';
import { failureOf } from '../../failure.ts';
import type { ListedDelivery } from '../../trpc.ts';
import { useRefire } from '../delivery/use-delivery.ts';

interface DeliveryMenuProps {
  webinarId: string;
  delivery: ListedDelivery;
  offReason: string | undefined;
  onOpen: (deliveryId: string) => void;
}

/** Actions of a delivery in the list. */
export function DeliveryMenu({ webinarId, delivery, offReason, onOpen }: DeliveryMenuProps) {
  const [, copyId] = useCopy(delivery.id);
  const { refire, isPending } = useRefire(webinarId, {
    onSuccess: (id) => notifyRefired(() => onOpen(id)),
    onError: (error) =>
      notifications.show({ color: 'red', title: 'Not sent again', message: failureOf(error).message }),
  });
  return (
    <Menu position="bottom-end" width={220}>
      <Menu.Target>
        <ActionIcon aria-label={`More about this ${delivery.eventType} delivery`} loading={isPending}>
          <IconDots size={16} />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item leftSection={<IconEye size={15} />} onClick={() => onOpen(delivery.id)}>
          Open
        </Menu.Item>
        {delivery.status === 'failure' ? (
          <Menu.Item
            leftSection={<IconRefresh size={15} />}
            disabled={offReason !== undefined}
            onClick={() => refire(delivery.id)}
          >
            Re-fire
            {offReason === undefined ? null : (
              <Text size="xs" c="dimmed">
                {offReason}
              </Text>
            )}
          </Menu.Item>
        ) : null}
        <Menu.Item leftSection={<IconCopy size={15} />} onClick={copyId}>
          Copy delivery id
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}

function notifyRefired(onOpen: () => void): void {
  const id = notifications.show({
    message: (
      <>
        Queued again as a new delivery.{' '}
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
