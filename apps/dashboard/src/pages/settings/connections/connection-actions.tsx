import { Button, Drawer, Group, Menu, Modal, Skeleton, Text } from '@mantine/core';
import { IconKey, IconPlayerPause, IconPlayerPlay, IconRefresh, IconTrash } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState, type ReactNode } from 'react';
import { Question } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { MoreMenu } from '../../../components/more-menu.tsx';
import { Notice } from '../../../components/notice.tsx';
import { focusContentIfLost } from '../../../focus.ts';
import { useTRPCClient, type Connection } from '../../../trpc.ts';
import { stateText, useConnectionsChanged } from './connection-texts.ts';

const ReplaceForm = lazy(async () => ({ default: (await import('./credential-forms.tsx')).ReplaceForm }));

interface StateNoticeProps {
  connection: Connection;
  isOwner: boolean;
}

/** The state of a connection that does not work or is paused: what waits, what to do, and the reason. */
export function StateNotice({ connection, isOwner }: StateNoticeProps) {
  const { state, reason } = connection;
  const text = stateText(connection, isOwner);
  if (text === undefined || (state !== 'paused' && reason === null)) return null;
  return (
    <Notice tone={state === 'disconnected' ? 'bad' : 'warn'}>
      <Text size="sm">{text}</Text>
      {reason === null ? null : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {reason}
        </Text>
      )}
    </Notice>
  );
}

interface ConnectionActionsProps {
  connection: Connection;
  isOwner: boolean;
  /** More entries of the menu of owners. */
  menu?: ReactNode;
  /** The text of the question before it is removed. */
  removal: string;
  onRemoved?: () => void;
}

/** The buttons of a connection: check, pause, replace the key, remove. */
export function ConnectionActions({ connection, isOwner, menu, removal, onRemoved }: ConnectionActionsProps) {
  const { id: connectionId, name, state } = connection;
  const { connections } = useTRPCClient();
  const changed = useConnectionsChanged();
  const [dialog, setDialog] = useState<'replace' | 'remove'>();
  const close = () => setDialog(undefined);
  const { mutate, isPending, variables, error } = useMutation({
    mutationFn: (act: 'check' | 'pause' | 'resume') => connections[act].mutate({ connectionId }),
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
            <Button
              variant="default"
              leftSection={<IconKey size={14} />}
              onClick={() => setDialog('replace')}
            >
              Replace key
            </Button>
            <MoreMenu label={`More about ${name}`} size={30} variant="default">
              {menu}
              <Menu.Item
                color="red"
                leftSection={<IconTrash size={15} />}
                onClick={() => setDialog('remove')}
              >
                Remove
              </Menu.Item>
            </MoreMenu>
          </>
        ) : null}
      </Group>
      <Drawer
        opened={dialog === 'replace'}
        onClose={close}
        title={`Replace the key of ${name}`}
        onExitTransitionEnd={focusContentIfLost}
      >
        <Suspense fallback={<Skeleton height={320} aria-busy />}>
          {dialog === 'replace' ? <ReplaceForm connection={connection} onClose={close} /> : null}
        </Suspense>
      </Drawer>
      <Modal opened={dialog === 'remove'} onClose={close} title={`Remove ${name}`}>
        {dialog === 'remove' ? (
          <Question
            text={removal}
            confirm="Remove connection"
            act={() => connections.disconnect.mutate({ connectionId })}
            onDone={() => {
              close();
              onRemoved?.();
              return changed();
            }}
            onClose={close}
          />
        ) : null}
      </Modal>
    </>
  );
}
