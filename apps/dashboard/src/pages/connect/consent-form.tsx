import { Anchor, Button, Checkbox, Group, NativeSelect, Text } from '@mantine/core';
import type { Scope } from '@service/catalogue';
import { useState, type FormEvent, type ReactNode } from 'react';
import { CenteredCard } from '../../components/centered-card.tsx';
import { Facts } from '../../components/facts.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Notice } from '../../components/notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { formatPlural } from '../../format.ts';
import type { User, Workspace } from '../../session.ts';
import type { AuthorizationRequest } from '../../trpc.ts';
import { presetAccess } from '../keys/access.ts';
import { ScopePicker } from '../keys/scope-picker.tsx';
import styles from './connect.module.css';

export type Decision =
  | { isAllowed: false }
  | { isAllowed: true; scopes: readonly Scope[]; endsEarlier: boolean };

/** The member who decides, and the workspace that the client gets. */
export interface Person {
  user: User;
  workspace: Workspace;
  workspaces: readonly Workspace[];
  onWorkspace: (workspaceId: string) => void;
  isLeaving: boolean;
  /** Signs out, and comes back here after the next sign-in. */
  onLeave: () => void;
}

interface ConsentFormProps {
  asked: AuthorizationRequest;
  person: Person;
  /** The decision that is being sent. */
  pending: Decision | undefined;
  error: unknown;
  onDecide: (decision: Decision) => void;
}

/** The decision of the member. A client can only read unless the member chooses more. */
export function ConsentForm({ asked, person, pending, error, onDecide }: ConsentFormProps) {
  const { user, workspace, workspaces, onWorkspace, isLeaving, onLeave } = person;
  const { clientName, clientHost, redirectHost, isLocal, scopes: offered, earlier } = asked;
  const [access, setAccess] = useState(() => firstAccess(offered));
  // The choice for one workspace is none for another one.
  const [endingIn, setEndingIn] = useState<string>();
  const endsEarlier = endingIn === workspace.id && earlier.connections > 0;
  const hasScopes = access.scopes.length > 0;
  const isAllowing = pending?.isAllowed === true;
  const isDenying = pending?.isAllowed === false;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (hasScopes) onDecide({ isAllowed: true, scopes: access.scopes, endsEarlier });
  };
  return (
    <ConnectCard
      title={`Connect ${clientName}`}
      lead={`${clientName} asks for access to a workspace of yours. It acts in your name, within the scopes that you select.`}
    >
      <Facts
        facts={[
          ['Client', clientHost === null ? clientName : `${clientName}, published by ${clientHost}`],
          ['The answer goes to', <strong key="to">{redirectHost}</strong>],
          [
            'Signed in as',
            <Group key="user" gap="0 10px">
              <span>{user.email}</span>
              <Button
                variant="transparent"
                size="compact-sm"
                c="var(--link)"
                px={0}
                loading={isLeaving}
                onClick={onLeave}
              >
                Use another account
              </Button>
            </Group>,
          ],
          ['Workspace', workspaces.length === 1 ? workspace.name : null],
        ]}
      />
      {clientHost === null ? (
        <Notice tone="warn">
          We cannot check who runs this client. Any program can call itself “{clientName}”.
        </Notice>
      ) : null}
      {isLocal ? (
        <Notice tone="warn">
          The answer goes to a program on this computer. Allow it only if you started the connection there
          yourself, just now.
        </Notice>
      ) : null}
      <form onSubmit={submit} style={{ display: 'grid', gap: 16 }}>
        {workspaces.length > 1 ? (
          <NativeSelect
            label="Workspace"
            data={workspaces.map(({ id, name }) => ({ value: id, label: name }))}
            value={workspace.id}
            onChange={(event) => onWorkspace(event.currentTarget.value)}
          />
        ) : null}
        <ScopePicker
          access={access}
          onChange={setAccess}
          error={hasScopes ? undefined : 'Choose at least one scope.'}
          descriptions={{
            full: `Everything that ${clientName} asks for.`,
            read: 'Read everything that it asks for, change nothing.',
          }}
          offered={offered}
        />
        {earlier.connections > 0 ? (
          <Checkbox
            size="sm"
            label="End the earlier access of this client"
            description={<EarlierAccess asked={asked} workspace={workspace} />}
            checked={endsEarlier}
            onChange={(event) => setEndingIn(event.currentTarget.checked ? workspace.id : undefined)}
          />
        ) : null}
        <Text size="sm" c="dimmed">
          You can revoke the access at any time under AI tools.
        </Text>
        {error ? <FailureNotice error={error} /> : null}
        <Group justify="flex-end" gap="xs">
          <Button
            variant="default"
            loading={isDenying}
            disabled={isAllowing}
            onClick={() => onDecide({ isAllowed: false })}
          >
            Deny
          </Button>
          <Button type="submit" loading={isAllowing} disabled={!hasScopes || isDenying}>
            Allow access
          </Button>
        </Group>
      </form>
    </ConnectCard>
  );
}

/** The same client on another computer of the member has the same id, so the member decides whether its access ends. */
const EarlierAccess = ({ asked, workspace }: { asked: AuthorizationRequest; workspace: Workspace }) => (
  <>
    {asked.clientName} already has {formatPlural(asked.earlier.connections, 'connection')} to {workspace.name}{' '}
    in your name. Last used: <RelativeTime at={asked.earlier.lastUsedAt} />. Leave it off if you use the
    client on another computer too.
  </>
);

/** Read only where the client asks for more than that. */
function firstAccess(offered: readonly Scope[]) {
  const read = presetAccess('read', offered);
  const isPart = read.scopes.length > 0 && read.scopes.length < offered.length;
  return isPart ? read : presetAccess('full', offered);
}

interface ConnectCardProps {
  title: string;
  lead?: ReactNode;
  children: ReactNode;
}

/** The card of the consent page. */
export const ConnectCard = ({ children, ...head }: ConnectCardProps) => (
  <CenteredCard isWide {...head}>
    <div className={styles['content']}>{children}</div>
  </CenteredCard>
);

interface InvalidRequestProps {
  message?: string;
  /** A member allowed or denied it before. */
  isAnswered?: boolean;
}

/** For a request that is incomplete, changed, expired or answered. */
export const InvalidRequest = ({
  message = 'This address is incomplete. Start again in the client that you want to connect.',
  isAnswered = false,
}: InvalidRequestProps) => (
  <ConnectCard title={isAnswered ? 'This request was already answered' : 'This request is not valid'}>
    <Notice tone="warn">{message}</Notice>
    <p>
      {isAnswered ? 'AI tools shows the state of each client.' : 'Nothing was allowed.'}{' '}
      <Anchor href="/">Go to your workspace</Anchor>
    </p>
  </ConnectCard>
);
