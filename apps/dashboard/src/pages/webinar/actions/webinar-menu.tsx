import { Menu } from '@mantine/core';
import { IconArchive, IconCopy, IconPencil, IconTrash, IconWorldOff } from '@tabler/icons-react';
import { lazy, useState, type ReactNode } from 'react';
import { MoreMenu } from '../../../components/more-menu.tsx';
import type { Webinar } from '../../../trpc.ts';
import { LateModal } from '../late-modal.tsx';

// Each is loaded when its dialog opens.
const DuplicateForm = lazy(async () => ({ default: (await import('./duplicate-form.tsx')).DuplicateForm }));
const RetireForm = lazy(async () => ({ default: (await import('./retire-form.tsx')).RetireForm }));
const UnpublishForm = lazy(async () => ({ default: (await import('./unpublish-form.tsx')).UnpublishForm }));

interface WebinarMenuProps {
  webinar: Webinar;
  /** In a list: opens the webinar. */
  onOpen?: () => void;
  /** Called after the webinar was archived or deleted. */
  onRetired?: () => void;
}

type Dialog = keyof typeof titles;

const titles = {
  duplicate: 'Duplicate webinar',
  unpublish: 'Unpublish webinar',
  archive: 'Archive webinar',
  delete: 'Delete webinar',
};

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
      <MoreMenu label={`More about ${webinar.title}`} size={32} width={200}>
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
      </MoreMenu>
      <LateModal
        opened={dialog !== undefined}
        onClose={close}
        title={titles[dialog ?? 'duplicate']}
        height={180}
      >
        {dialog === 'duplicate' ? <DuplicateForm webinar={webinar} onClose={close} /> : null}
        {dialog === 'unpublish' ? <UnpublishForm webinar={webinar} onClose={close} /> : null}
        {dialog === 'archive' || dialog === 'delete' ? (
          <RetireForm webinar={webinar} verb={dialog} onClose={close} onRetired={onRetired} />
        ) : null}
      </LateModal>
    </>
  );
}
