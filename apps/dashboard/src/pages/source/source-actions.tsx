import { Button, Menu } from '@mantine/core';
import {
  IconHistory,
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconRefresh,
  IconSend,
  IconTrash,
} from '@tabler/icons-react';
import { GuardedButton } from '../../components/guarded-button.tsx';
import { MoreMenu } from '../../components/more-menu.tsx';
import type { SourceSearch } from './search.ts';
import type { SourceKind } from './source.ts';

interface SourceActionsProps {
  kind: SourceKind;
  /** The reason why nothing can be sent. */
  offReason: string | undefined;
  show: (change: SourceSearch) => void;
}

/** The buttons of the page of a rule or subscription. Each opens a dialog of the URL. */
export function SourceActions({ kind, offReason, show }: SourceActionsProps) {
  return (
    <>
      {kind === 'rule' ? (
        <Button
          variant="default"
          leftSection={<IconKey size={15} />}
          onClick={() => show({ dialog: 'details' })}
        >
          Details
        </Button>
      ) : (
        <Button
          variant="default"
          leftSection={<IconPencil size={15} />}
          onClick={() => show({ dialog: 'edit' })}
        >
          Edit
        </Button>
      )}
      <Button
        variant="default"
        leftSection={<IconHistory size={15} />}
        onClick={() => show({ dialog: 'recover' })}
      >
        Recover
      </Button>
      <GuardedButton
        reason={offReason}
        leftSection={<IconSend size={15} />}
        onClick={() => show({ dialog: 'test' })}
      >
        Send test
      </GuardedButton>
      {kind === 'webhook' ? <SubscriptionMenu isOff={offReason !== undefined} show={show} /> : null}
    </>
  );
}

function SubscriptionMenu({ isOff, show }: { isOff: boolean; show: SourceActionsProps['show'] }) {
  return (
    <MoreMenu variant="default" size={32} label="More about this subscription" width={200}>
      <Menu.Item leftSection={<IconRefresh size={15} />} onClick={() => show({ dialog: 'rotate' })}>
        Rotate secret
      </Menu.Item>
      <Menu.Item
        leftSection={<IconPlayerPause size={15} />}
        disabled={isOff}
        onClick={() => show({ dialog: 'off' })}
      >
        Switch off
      </Menu.Item>
      <Menu.Divider />
      <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => show({ dialog: 'delete' })}>
        Delete
      </Menu.Item>
    </MoreMenu>
  );
}
