import { ActionIcon, Button, Menu } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import {
  IconHistory,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { GuardedButton } from '../../components/guarded-button.tsx';
import { MoreMenu } from '../../components/more-menu.tsx';
import { failureOf } from '../../failure.ts';
import type { SourceSearch } from './search.ts';
import type { Source, SourceKind } from './source.ts';
import { useSourceCalls } from './use-source.ts';

interface SourceActionsProps {
  kind: SourceKind;
  /** The reason why nothing can be sent. */
  offReason: string | undefined;
  show: (change: SourceSearch) => void;
}

/** The buttons of the page of a rule or subscription. Each opens a dialog of the URL. */
export function SourceActions({ kind, offReason, show }: SourceActionsProps) {
  const open = (dialog: SourceSearch['dialog']) => () => show({ dialog });
  return (
    <>
      {kind === 'rule' ? (
        <Button variant="default" leftSection={<IconKey size={15} />} onClick={open('details')}>
          Details
        </Button>
      ) : (
        <Button variant="default" leftSection={<IconPencil size={15} />} onClick={open('edit')}>
          Edit
        </Button>
      )}
      <Button variant="default" leftSection={<IconHistory size={15} />} onClick={open('recover')}>
        Recover
      </Button>
      <GuardedButton reason={offReason} leftSection={<IconSend size={15} />} onClick={open('test')}>
        Send test
      </GuardedButton>
      {kind === 'webhook' ? (
        <MoreMenu variant="default" size={32} label="More about this subscription" width={200}>
          <Menu.Item leftSection={<IconRefresh size={15} />} onClick={open('rotate')}>
            Rotate secret
          </Menu.Item>
          <Menu.Item
            leftSection={<IconPlayerPause size={15} />}
            disabled={offReason !== undefined}
            onClick={open('off')}
          >
            Switch off
          </Menu.Item>
          <Menu.Divider />
          <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={open('delete')}>
            Delete
          </Menu.Item>
        </MoreMenu>
      ) : null}
    </>
  );
}

/**
 * Halts the deliveries of a rule or subscription, or resumes them. Nothing is lost, so it asks nothing. Halting has an icon only, because
 * the facts of the source need the line.
 */
export function HaltButton({ source, halted }: { source: Source; halted: boolean }) {
  const { setHalted, invalidate } = useSourceCalls(source);
  const { mutate, isPending } = useMutation({
    mutationFn: () => setHalted(halted),
    onSuccess: () =>
      notifications.show({ message: halted ? 'Its deliveries wait.' : 'Its deliveries are sent again.' }),
    onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    onSettled: invalidate,
  });
  const button = { loading: isPending, onClick: () => mutate() };
  if (halted) return <HaltIcon {...button} />;
  return (
    <Button variant="default" leftSection={<IconPlayerPlay size={15} />} {...button}>
      Resume
    </Button>
  );
}

/** Without `onClick` it keeps the place of the button until the source is known. */
export const HaltIcon = (button: { loading?: boolean; onClick?: () => void }) => (
  <ActionIcon
    variant="default"
    size={32}
    aria-label="Halt"
    title="Halt: deliveries wait until you resume them"
    disabled={!button.onClick}
    {...button}
  >
    <IconPlayerPause size={15} />
  </ActionIcon>
);
