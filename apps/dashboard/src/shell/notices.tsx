// Notices above every page of a workspace.
import { Button, Text } from '@mantine/core';
import { skipToken, useMutation, useQuery } from '@tanstack/react-query';
import { useLocation } from '@tanstack/react-router';
import { Notice } from '../components/notice.tsx';
import { RelativeTime } from '../components/relative-time.tsx';
import { failureOf } from '../failure.ts';
import { formatPlural, formatWaiting } from '../format.ts';
import { requestVerification, sessionQuery } from '../session.ts';
import { useTRPC, type Connection } from '../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../workspace.ts';
import styles from './shell.module.css';

/** Shown above every page of a suspended workspace. */
export function SuspensionNotice() {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.accounts.workspace.get.queryOptions());
  const suspendedAt = data?.data.suspendedAt;
  if (!suspendedAt) return null;
  return (
    <div className={styles['notice']}>
      <Notice tone="warn">
        <Text size="sm" fw={550}>
          This workspace is suspended
        </Text>
        <Text size="sm">
          Since <RelativeTime at={suspendedAt} />. You can read everything, revoke keys and remove members.
          API calls are refused, and webhooks wait until the workspace is resumed. Rooms stay open. Contact
          the operator of the service.
        </Text>
      </Notice>
    </div>
  );
}

/** One line for a person whose address is not verified, if mails are sent. Nothing is blocked. */
export function VerificationNotice() {
  const { data: session } = useQuery(sessionQuery);
  const { mutate, isPending, isSuccess, error } = useMutation({ mutationFn: requestVerification });
  if (!session?.mail || !session.user || session.user.isEmailVerified) return null;
  return (
    <div className={styles['notice']}>
      <Notice tone={error ? 'bad' : 'info'}>
        <Text size="sm">
          {error
            ? failureOf(error).message
            : isSuccess
              ? `A mail with a new link is on its way to ${session.user.email}. `
              : `Please confirm your e-mail address with the link that was sent to ${session.user.email}. `}
          {isSuccess ? null : (
            <Button
              variant="transparent"
              size="compact-sm"
              c="var(--link)"
              px={0}
              loading={isPending}
              onClick={() => mutate()}
            >
              Send again
            </Button>
          )}
        </Text>
      </Notice>
    </div>
  );
}

/** Shown above every page while the key of a connection is refused, with the number of people or e-mails that wait for it. */
export function DisconnectedNotice() {
  const trpc = useTRPC();
  const all = useQuery(trpc.connections.listDisconnected.queryOptions()).data?.data ?? [];
  const path = useLocation({ select: ({ pathname }) => pathname });
  // The pages of connections say it beside their buttons.
  const connections = all.filter(({ id, kind }) =>
    kind === 'mail'
      ? !path.endsWith('/settings/email')
      : !path.endsWith('/settings/marketing-tools') && !path.endsWith(`/marketing-tools/${id}`),
  );
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
    : `${formatWaiting(people)} ${people === 1 ? 'waits' : 'wait'} for a new key, for 30 days at most.`;

const mailText = (mails: number): string =>
  mails === 0
    ? 'E-mails wait for a new one.'
    : `${formatPlural(mails, 'e-mail waits', 'e-mails wait')} for a new one.`;

/** Leads to the page where the key is replaced. */
function Reconnect({ connection: { id: connectionId, kind } }: { connection: Connection }) {
  const { workspace } = useWorkspace();
  const text = workspace.role === 'owner' ? 'Replace the key' : 'See the connection';
  return kind === 'mail' ? (
    <WorkspaceLink to="/w/$workspaceId/settings/email">{text}</WorkspaceLink>
  ) : (
    <WorkspaceLink to="/w/$workspaceId/settings/marketing-tools/$connectionId" params={{ connectionId }}>
      {text}
    </WorkspaceLink>
  );
}
