import { Text } from '@mantine/core';
import { skipToken, useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Notice } from '../components/notice.tsx';
import { formatPlural } from '../format.ts';
import { waitingText } from '../pages/settings/marketing-tools/tools.ts';
import { useTRPC, type Connection } from '../trpc.ts';
import { useWorkspace } from '../workspace.ts';
import styles from './shell.module.css';

/** Shown above every page while the key of a connection is refused, with the number of people or e-mails that wait for it. */
export function DisconnectedNotice() {
  const trpc = useTRPC();
  const connections = useQuery(trpc.connections.listDisconnected.queryOptions()).data?.data ?? [];
  const hasMail = connections.some(({ kind }) => kind === 'mail');
  const mails = useQuery(trpc.mails.counts.queryOptions(hasMail ? { days: 1 } : skipToken)).data?.data;
  if (connections.length === 0) return null;
  return (
    <div className={styles['notice']}>
      <Notice tone="bad">
        {connections.map((connection) => (
          <Text key={connection.id} size="sm" style={{ overflowWrap: 'anywhere' }}>
            <strong>{connection.name}</strong> refuses the stored key
            {connection.kind === 'mail' ? ' or password' : ''}.{' '}
            {connection.kind === 'mail'
              ? mailText(mails?.waiting ?? 0)
              : peopleText(connection.waiting?.people ?? 0)}{' '}
            <Reconnect connection={connection} />
          </Text>
        ))}
      </Notice>
    </div>
  );
}

const peopleText = (people: number): string =>
  people === 0
    ? 'Changes of contacts wait for a new key, for 30 days at most.'
    : `${waitingText(people)} ${people === 1 ? 'waits' : 'wait'} for a new key, for 30 days at most.`;

const mailText = (mails: number): string =>
  mails === 0
    ? 'E-mails wait for a new one.'
    : `${formatPlural(mails, 'e-mail waits', 'e-mails wait')} for a new one.`;

/** Leads to the page where the key is replaced. */
function Reconnect({ connection: { id: connectionId, kind } }: { connection: Connection }) {
  const { workspace } = useWorkspace();
  const workspaceId = workspace.id;
  const text = workspace.role === 'owner' ? 'Replace the key' : 'See the connection';
  return kind === 'mail' ? (
    <Link to="/w/$workspaceId/settings/email" params={{ workspaceId }}>
      {text}
    </Link>
  ) : (
    <Link to="/w/$workspaceId/settings/marketing-tools/$connectionId" params={{ workspaceId, connectionId }}>
      {text}
    </Link>
  );
}
