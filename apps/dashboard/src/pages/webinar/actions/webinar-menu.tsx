import { Button, Menu } from '@mantine/core';
import { IconArchive, IconCopy, IconPencil, IconTrash, IconWorldOff, type Icon } from '@service/icons';
import { lazy, useState } from 'react';
import { LateModal } from '../../../components/late-modal.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import type { Webinar } from '../../../trpc.ts';
import { MenuAction } from '../icon-actions.tsx';

// Each is loaded when its dialog opens.
const DuplicateForm = lazy(async () => ({ default: (await import('./webinar-dialogs.tsx')).DuplicateForm }));
const RetireForm = lazy(async () => ({ default: (await import('./webinar-dialogs.tsx')).RetireForm }));
const RestoreForm = lazy(async () => ({ default: (await import('./webinar-dialogs.tsx')).RestoreForm }));
const UnpublishForm = lazy(async () => ({ default: (await import('./webinar-dialogs.tsx')).UnpublishForm }));

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
  restore: 'Restore webinar',
  delete: 'Delete webinar',
};

export function WebinarMenu({ webinar, onOpen, onRetired }: WebinarMenuProps) {
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const isArchived = webinar.status === 'archived';
  const item = (name: Dialog, icon: Icon, label: string, color?: 'red') => (
    <MenuAction icon={icon} label={label} {...(color && { color })} onClick={() => setDialog(name)} />
  );
  return (
    <>
      {isArchived && !onOpen ? <Button onClick={() => setDialog('restore')}>Restore…</Button> : null}
      <MoreMenu label={`More about ${webinar.title}`} size={32} width={200}>
        {onOpen ? <MenuAction icon={IconPencil} label="Open" onClick={onOpen} /> : null}
        {isArchived ? null : item('duplicate', IconCopy, 'Duplicate')}
        {webinar.status === 'published' ? item('unpublish', IconWorldOff, 'Unpublish') : null}
        {isArchived ? null : <Menu.Divider />}
        {isArchived ? item('restore', IconArchive, 'Restore') : item('archive', IconArchive, 'Archive')}
        {item('delete', IconTrash, 'Delete', 'red')}
      </MoreMenu>
      <LateModal
        opened={dialog !== undefined}
        onClose={close}
        title={titles[dialog ?? 'duplicate']}
        height={180}
      >
        {dialog === 'duplicate' ? <DuplicateForm webinar={webinar} onClose={close} /> : null}
        {dialog === 'unpublish' ? <UnpublishForm webinar={webinar} onClose={close} /> : null}
        {dialog === 'restore' ? <RestoreForm webinar={webinar} onClose={close} /> : null}
        {dialog === 'archive' || dialog === 'delete' ? (
          <RetireForm webinar={webinar} verb={dialog} onClose={close} onRetired={onRetired} />
        ) : null}
      </LateModal>
    </>
  );
}
