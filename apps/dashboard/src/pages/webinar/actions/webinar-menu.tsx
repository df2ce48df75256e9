import { ActionIcon, Menu } from '@mantine/core';
import { IconArchive, IconCopy, IconDots, IconPencil, IconTrash, IconWorldOff } from '@tabler/icons-react';
import { useState, type ReactNode } from 'react';
import type { Webinar } from '../../../trpc.ts';
import { DuplicateDialog } from './duplicate-dialog.tsx';
import { RetireDialog } from './retire-dialog.tsx';
import { UnpublishDialog } from './unpublish-dialog.tsx';

interface WebinarMenuProps {
  webinar: Webinar;
  /** In a list: opens the webinar. */
  onOpen?: () => void;
  /** Called after the webinar was archived or deleted. */
  onRetired?: () => void;
}

type Dialog = 'duplicate' | 'unpublish' | 'archive' | 'delete';

export function WebinarMenu({ webinar, onOpen, onRetired }: WebinarMenuProps) {
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const item = (name: Dialog, icon: ReactNode, label: string, color?: 'red') => (
    <Menu.Item color={color} leftSection={icon} onClick={() => setDialog(name)}>
      {label}
    </Menu.Item>
  );
  return (
    <>
      <Menu position="bottom-end" width={200}>
        <Menu.Target>
          <ActionIcon aria-label={`More about ${webinar.title}`} size={32}>
            <IconDots size={16} />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {onOpen ? (
            <Menu.Item leftSection={<IconPencil size={15} />} onClick={onOpen}>
              Open
            </Menu.Item>
          ) : null}
          {item('duplicate', <IconCopy size={15} />, 'Duplicate')}
          {webinar.status === 'published' ? item('unpublish', <IconWorldOff size={15} />, 'Unpublish') : null}
          <Menu.Divider />
          {item('archive', <IconArchive size={15} />, 'Archive')}
          {item('delete', <IconTrash size={15} />, 'Delete', 'red')}
        </Menu.Dropdown>
      </Menu>
      <DuplicateDialog webinar={webinar} isOpen={dialog === 'duplicate'} onClose={close} />
      <UnpublishDialog webinar={webinar} isOpen={dialog === 'unpublish'} onClose={close} />
      <RetireDialog
        webinar={webinar}
        verb={dialog === 'archive' || dialog === 'delete' ? dialog : undefined}
        onClose={close}
        onRetired={onRetired}
      />
    </>
  );
}
