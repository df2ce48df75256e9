import { Button, Drawer, Group, Menu, Modal, Skeleton, Stack, Text, Title } from '@mantine/core';
import {
  IconKey,
  IconPencil,
  IconPlayerPause,
  IconPlayerPlay,
  IconRefresh,
  IconStar,
  IconTrash,
} from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Question } from '../../../components/dialog-form.tsx';
import { Facts } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { Notice } from '../../../components/notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { Status } from '../../../components/status.tsx';
import { focusContentIfLost } from '../../../focus.ts';
import { useTRPCClient, type Connection } from '../../../trpc.ts';
import styles from '../revenue/source-card.module.css';
import { mailboxText, stateExplanations, stateStyle, useConnectionsChanged } from './connection-texts.ts';
import { ReportSetup } from './report-setup.tsx';

const ReplaceForm = lazy(async () => ({ default: (await import('./change-forms.tsx')).ReplaceForm }));
const SettingsForm = lazy(async () => ({ default: (await import('./change-forms.tsx')).SettingsForm }));

interface ConnectionCardProps {
  connection: Connection;
  isOwner: boolean;
  /** There is no other one that could be the default. */
  isOnly: boolean;
}

type Dialog = 'replace' | 'settings' | 'remove';

const drawerTitles = { replace: 'Replace the key of', settings: 'Settings of' };

/** A connection with its state, its addresses and what can be done with it. */
export function ConnectionCard({ connection, isOwner, isOnly }: ConnectionCardProps) {
  const { name, state, since, reason, isDefault, settings, credentialLast4 } = connection;
  const [dialog, setDialog] = useState<Dialog>();
  const close = () => setDialog(undefined);
  const explanation = stateExplanations[state];
  const form = dialog === 'replace' || dialog === 'settings' ? dialog : undefined;
  return (
    // Not a section: landmarks need different names, and two connections may have the same one.
    <article className={styles['card']} aria-label={name}>
      <header className={styles['head']}>
        <div style={{ minWidth: 0 }}>
          <Title order={3} style={{ overflowWrap: 'anywhere' }}>
            {name}
          </Title>
          <Text size="sm" c="dimmed">
            {isDefault
              ? 'Default: e-mails are sent by this connection.'
              : 'Not used while another one is the default.'}
          </Text>
        </div>
        <Status {...stateStyle(state)} />
      </header>
      <Stack gap="md">
        {reason !== null && explanation !== undefined ? (
          <Notice tone={state === 'disconnected' ? 'bad' : 'warn'}>
            <Text size="sm">{explanation}</Text>
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {reason}
            </Text>
          </Notice>
        ) : null}
        <Facts
          facts={[
            ['From', settings.from && mailboxText(settings.from)],
            ['Replies to', settings.replyTo],
            ['Key', `•••• ${credentialLast4}`],
            ['API address', settings.baseUrl],
            ['In this state', <RelativeTime key="since" at={since} />],
            ['Last sent', <RelativeTime key="sent" at={connection.lastSuccessAt} />],
            ['Last failure', <RelativeTime key="failed" at={connection.lastFailureAt} />],
            ['Checked', <RelativeTime key="checked" at={connection.checkedAt} />],
          ]}
        />
        <div className={styles['reports']}>
          <Text size="sm" fw={550}>
            Bounces and complaints
          </Text>
          <ReportSetup connection={connection} isOwner={isOwner} />
        </div>
        <Actions connection={connection} isOwner={isOwner} isOnly={isOnly} onOpen={setDialog} />
      </Stack>
      <Drawer
        opened={form !== undefined}
        onClose={close}
        title={`${drawerTitles[form ?? 'settings']} ${name}`}
        onExitTransitionEnd={focusContentIfLost}
      >
        <Suspense fallback={<Skeleton height={320} aria-busy />}>
          {form === 'replace' ? <ReplaceForm connection={connection} onClose={close} /> : null}
          {form === 'settings' ? <SettingsForm connection={connection} onClose={close} /> : null}
        </Suspense>
      </Drawer>
      <Modal opened={dialog === 'remove'} onClose={close} title={`Remove ${name}`}>
        {dialog === 'remove' ? <RemoveConnection connection={connection} onClose={close} /> : null}
      </Modal>
    </article>
  );
}

interface ActionsProps extends ConnectionCardProps {
  onOpen: (dialog: Dialog) => void;
}

function Actions({
  connection: { id: connectionId, name, state, isDefault },
  isOwner,
  isOnly,
  onOpen,
}: ActionsProps) {
  const { connections } = useTRPCClient();
  const changed = useConnectionsChanged();
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (act: 'check' | 'pause' | 'resume' | 'makeDefault') =>
      connections[act].mutate({ connectionId }),
    onSettled: changed,
  });
  const toggle = state === 'paused' ? 'resume' : 'pause';
  return (
    <>
      {error ? <FailureNotice error={error} /> : null}
      <Group gap="xs">
        <Button
          variant="default"
          leftSection={<IconRefresh size={14} />}
          loading={isPending && variables === 'check'}
          onClick={() => mutate('check')}
        >
          Check now
        </Button>
        <Button
          variant="default"
          leftSection={state === 'paused' ? <IconPlayerPlay size={14} /> : <IconPlayerPause size={14} />}
          loading={isPending && variables === toggle}
          onClick={() => mutate(toggle)}
        >
          {state === 'paused' ? 'Resume' : 'Pause'}
        </Button>
        {isOwner ? (
          <>
            <Button variant="default" leftSection={<IconKey size={14} />} onClick={() => onOpen('replace')}>
              Replace key
            </Button>
            <MoreMenu label={`More about ${name}`} size={30} variant="default">
              <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => onOpen('settings')}>
                Change settings
              </Menu.Item>
              {isDefault || isOnly ? null : (
                <Menu.Item leftSection={<IconStar size={15} />} onClick={() => mutate('makeDefault')}>
                  Make it the default
                </Menu.Item>
              )}
              <Menu.Item color="red" leftSection={<IconTrash size={15} />} onClick={() => onOpen('remove')}>
                Remove
              </Menu.Item>
            </MoreMenu>
          </>
        ) : null}
      </Group>
    </>
  );
}

function RemoveConnection({ connection, onClose }: { connection: Connection; onClose: () => void }) {
  const { connections } = useTRPCClient();
  const changed = useConnectionsChanged();
  return (
    <Question
      text={
        connection.isDefault
          ? 'Its key is deleted here. E-mails are then sent by the oldest other connection, or by this installation when there is none.'
          : 'Its key is deleted here. E-mails are still sent by the default connection.'
      }
      confirm="Remove connection"
      act={() => connections.disconnect.mutate({ connectionId: connection.id })}
      onDone={() => {
        onClose();
        return changed();
      }}
      onClose={onClose}
    />
  );
}
