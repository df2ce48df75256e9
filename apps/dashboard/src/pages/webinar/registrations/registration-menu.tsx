import { Menu } from '@mantine/core';
import { IconArrowsExchange, IconCopy, IconEye, IconLink, IconRefresh, IconUserX } from '@tabler/icons-react';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { useCopy } from '../../../components/use-copy.ts';
import type { Registration } from '../../../trpc.ts';
import { moveRefusal } from './registration-texts.ts';

export interface RegistrationActions {
  onOpen: (registrationId: string) => void;
  onRotate: (registration: Registration) => void;
  onMove: (registration: Registration) => void;
  onCancel: (registrations: readonly Registration[]) => void;
}

/** Actions of one registration in the list. */
export function RegistrationMenu({
  registration,
  onOpen,
  onRotate,
  onMove,
  onCancel,
}: { registration: Registration } & RegistrationActions) {
  const { id, name, joinUrl } = registration;
  const [, copyLink] = useCopy(joinUrl);
  const [, copyId] = useCopy(id);
  const isCancelled = registration.status === 'cancelled';
  return (
    <MoreMenu label={`More about ${name}`} width={230}>
      <Menu.Item leftSection={<IconEye size={15} />} onClick={() => onOpen(id)}>
        Open
      </Menu.Item>
      <Menu.Item leftSection={<IconLink size={15} />} disabled={isCancelled} onClick={copyLink}>
        Copy join link
      </Menu.Item>
      <Menu.Item leftSection={<IconCopy size={15} />} onClick={copyId}>
        Copy registration id
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item
        leftSection={<IconArrowsExchange size={15} />}
        disabled={moveRefusal(registration) !== undefined}
        onClick={() => onMove(registration)}
      >
        Move to another session…
      </Menu.Item>
      <Menu.Item
        leftSection={<IconRefresh size={15} />}
        disabled={isCancelled}
        onClick={() => onRotate(registration)}
      >
        New join link…
      </Menu.Item>
      <Menu.Item
        color="red"
        leftSection={<IconUserX size={15} />}
        disabled={isCancelled}
        onClick={() => onCancel([registration])}
      >
        Cancel registration…
      </Menu.Item>
    </MoreMenu>
  );
}
