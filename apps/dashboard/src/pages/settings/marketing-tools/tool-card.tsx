import { Stack, Text, Title } from '@mantine/core';
import type { ReactNode } from 'react';
import { Facts } from '../../../components/facts.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { ConnectionStatus } from '../../../components/status.tsx';
import { formatWaiting } from '../../../format.ts';
import type { Connection } from '../../../trpc.ts';
import { WorkspaceLink } from '../../../workspace.ts';
import { ConnectionActions, StateNotice } from '../connections/connection-actions.tsx';
import styles from '../revenue/source-card.module.css';
import { inStepText, useTool } from './tools.ts';

interface ToolCardProps {
  connection: Connection;
  isOwner: boolean;
}

/** A connection in the list, with the way to its page. */
export function ToolCard({ connection, isOwner }: ToolCardProps) {
  const { id: connectionId, name, state } = connection;
  return (
    // Not a section: landmarks need different names, and two connections may have the same one.
    <article className={styles['card']} aria-label={name}>
      <header className={styles['head']}>
        <div style={{ minWidth: 0 }}>
          <Title order={3} style={{ overflowWrap: 'anywhere' }}>
            <WorkspaceLink
              to="/w/$workspaceId/settings/marketing-tools/$connectionId"
              params={{ connectionId }}
            >
              {name}
            </WorkspaceLink>
          </Title>
          <Text size="sm" c="dimmed">
            {inStepText(connection)}
          </Text>
        </div>
        <ConnectionStatus state={state} />
      </header>
      <ToolState connection={connection} isOwner={isOwner} />
    </article>
  );
}

interface ToolStateProps extends ToolCardProps {
  /** More entries of the menu of owners. */
  menu?: ReactNode;
  onRemoved?: () => void;
}

/** The state of a connection, the people who wait for it, and what can be done with it. */
export function ToolState({ connection, isOwner, ...actions }: ToolStateProps) {
  const { name, since, waiting, settings, credentialLast4 } = connection;
  const { tool } = useTool(connection);
  const people = waiting?.people ?? 0;
  return (
    <Stack gap="md">
      <StateNotice connection={connection} isOwner={isOwner} />
      <Facts
        facts={[
          ['Tool', tool && tool.name !== name ? tool.name : null],
          ['Waiting', formatWaiting(people)],
          [
            'Oldest change',
            people > 0 && waiting?.oldestAt ? <RelativeTime key="oldest" at={waiting.oldestAt} /> : null,
          ],
          ['Key', credentialLast4 === '' ? 'Saved' : `•••• ${credentialLast4}`],
          ['API address', settings.baseUrl],
          ['In this state', <RelativeTime key="since" at={since} />],
          ['Last sent', <RelativeTime key="sent" at={connection.lastSuccessAt} />],
          ['Last failure', <RelativeTime key="failed" at={connection.lastFailureAt} />],
          ['Checked', <RelativeTime key="checked" at={connection.checkedAt} />],
        ]}
      />
      <ConnectionActions
        connection={connection}
        isOwner={isOwner}
        removal={`The key is deleted here, and waiting changes are not sent. Contacts at ${tool?.name ?? 'the tool'} stay as they are.`}
        {...actions}
      />
    </Stack>
  );
}
