import { Drawer, Menu, Skeleton, Stack, Text, Title } from '@mantine/core';
import { IconPencil, IconStar } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { lazy, Suspense, useState } from 'react';
import { Facts } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { ConnectionStatus } from '../../../components/status.tsx';
import { focusContentIfLost } from '../../../focus.ts';
import { useTRPCClient, type Connection } from '../../../trpc.ts';
import { ConnectionActions, StateNotice } from '../connections/connection-actions.tsx';
import { useConnectionsChanged } from '../connections/connection-texts.ts';
import styles from '../revenue/source-card.module.css';
import { ReportSetup } from './report-setup.tsx';

const SettingsForm = lazy(async () => ({ default: (await import('./mail-fields.tsx')).SettingsForm }));

interface ConnectionCardProps {
  connection: Connection;
  isOwner: boolean;
  /** There is no other one that could be the default. */
  isOnly: boolean;
}

/** A connection with its state, its addresses and what can be done with it. */
export function ConnectionCard({ connection, isOwner, isOnly }: ConnectionCardProps) {
  const { id: connectionId, name, state, since, isDefault, settings, credentialLast4 } = connection;
  const { connections } = useTRPCClient();
  const [isChanging, setChanging] = useState(false);
  const close = () => setChanging(false);
  const { mutate, error } = useMutation({
    mutationFn: () => connections.makeDefault.mutate({ connectionId }),
    onSettled: useConnectionsChanged(),
  });
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
        <ConnectionStatus state={state} />
      </header>
      <Stack gap="md">
        <StateNotice connection={connection} isOwner={isOwner} />
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
        {error ? <FailureNotice error={error} /> : null}
        <ConnectionActions
          connection={connection}
          isOwner={isOwner}
          removal={
            isDefault
              ? 'Its key is deleted here. E-mails are then sent by the oldest other connection, or by this installation when there is none.'
              : 'Its key is deleted here. E-mails are still sent by the default connection.'
          }
          menu={
            <>
              <Menu.Item leftSection={<IconPencil size={15} />} onClick={() => setChanging(true)}>
                Change settings
              </Menu.Item>
              {isDefault || isOnly ? null : (
                <Menu.Item leftSection={<IconStar size={15} />} onClick={() => mutate()}>
                  Make it the default
                </Menu.Item>
              )}
            </>
          }
        />
      </Stack>
      <Drawer
        opened={isChanging}
        onClose={close}
        title={`Settings of ${name}`}
        onExitTransitionEnd={focusContentIfLost}
      >
        <Suspense fallback={<Skeleton height={320} aria-busy />}>
          {isChanging ? <SettingsForm connection={connection} onClose={close} /> : null}
        </Suspense>
      </Drawer>
    </article>
  );
}

/** "Ada <ada@example.com>" */
const mailboxText = ({ name, address }: { name: string; address: string }): string =>
  name === '' ? address : `${name} <${address}>`;
