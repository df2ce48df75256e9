import { Modal, Table, Text } from '@mantine/core';
import { allScopes, presets, type Scope } from '@service/catalogue';
import { IconPlugConnected } from '@service/icons';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Question } from '../../components/dialog-form.tsx';
import { EmptyState } from '../../components/empty-state.tsx';
import { Facts } from '../../components/facts.tsx';
import { ListResult } from '../../components/load-more.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { Status, type WordStyle } from '../../components/status.tsx';
import { ActionsHead, CutText, TableCard } from '../../components/table-card.tsx';
import { formatCount, formatPlural } from '../../format.ts';
import { useTRPC, useTRPCClient, type Grant } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { RevokeButton } from '../keys/revoke-button.tsx';
import styles from './ai-tools.module.css';
import { useAiToolsSearch } from './search.ts';

const columns = [
  'Client',
  'State',
  'Scopes',
  'Last used',
  'Requests',
  'Decided',
  'Decided by',
  <ActionsHead key="actions" />,
];

/** The clients that asked members for access, with the state of each. */
export function ConnectedClients() {
  const trpc = useTRPC();
  const { workspace } = useWorkspace();
  const { search, show } = useAiToolsSearch();
  const { data, error, refetch } = useQuery(trpc.grants.list.queryOptions());
  const grants = data?.data;
  const present = grants?.filter(({ endedAt }) => endedAt === null);
  const ended = grants?.filter(({ endedAt }) => endedAt !== null) ?? [];
  const revoked = grants?.find(({ id, endedAt }) => id === search.revoke && endedAt === null);
  const close = () => show({ revoke: undefined });
  return (
    <Section
      title="Connected clients"
      text={
        workspace.role === 'owner'
          ? 'Clients that asked members for access to act in their name. Clients with a key are under API keys.'
          : 'Clients that asked you for access to act in your name. Owners see those of all members.'
      }
    >
      <ListResult
        items={present}
        error={error}
        refetch={refetch}
        empty={
          <EmptyState
            icon={IconPlugConnected}
            title={ended.length > 0 ? 'No client is connected now' : 'No connected clients yet'}
          >
            Choose a client above and follow its steps. When you allow or deny the access, it appears here.
          </EmptyState>
        }
      >
        <TableCard name="Connected clients" columns={columns} minWidth={960}>
          {present?.map((grant) => (
            <GrantRow key={grant.id} grant={grant} onRevoke={() => show({ revoke: grant.id })} />
          ))}
        </TableCard>
      </ListResult>
      {ended.length > 0 ? (
        <details className={styles['fold']}>
          <summary>{formatPlural(ended.length, 'client')} without access now</summary>
          <TableCard name="Clients without access" columns={columns} minWidth={960}>
            {ended.map((grant) => (
              <GrantRow key={grant.id} grant={grant} onRevoke={() => show({ revoke: grant.id })} />
            ))}
          </TableCard>
        </details>
      ) : null}
      <Modal
        opened={revoked !== undefined}
        onClose={close}
        title={`Revoke the access of ${revoked?.clientName}`}
      >
        {revoked ? <RevokeGrant key={revoked.id} grant={revoked} onClose={close} /> : null}
      </Modal>
    </Section>
  );
}

function GrantRow({ grant, onRevoke }: { grant: Grant; onRevoke: () => void }) {
  const { hint, ...style } = grantStatus(grant);
  return (
    <Table.Tr>
      <Table.Td maw={220}>
        <Text inherit fw={550} truncate title={grant.clientName}>
          {grant.clientName}
        </Text>
        <Text inherit size="xs" c="dimmed" truncate title={grant.clientHost ?? grant.redirectHost}>
          {grant.clientHost ?? `Unverified, ${grant.redirectHost}`}
        </Text>
      </Table.Td>
      <Table.Td maw={220}>
        <Status {...style} />
        {hint === undefined ? null : (
          <Text inherit size="xs" c="dimmed">
            {hint}
          </Text>
        )}
      </Table.Td>
      <Table.Td maw={200} title={grant.scopes.join(', ')}>
        {scopesText(grant.scopes)}
      </Table.Td>
      <Table.Td>
        <RelativeTime at={grant.lastUsedAt} />
      </Table.Td>
      <Table.Td>{formatCount(grant.requests)}</Table.Td>
      <Table.Td>
        <RelativeTime at={grant.createdAt} />
      </Table.Td>
      <Table.Td maw={160}>
        <CutText text={grant.member.name} />
      </Table.Td>
      <Table.Td ta="end">
        {grant.endedAt === null ? (
          <RevokeButton label={grant.clientName} isAllowed onClick={onRevoke} />
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}

function RevokeGrant({ grant, onClose }: { grant: Grant; onClose: () => void }) {
  const trpc = useTRPC();
  const { grants } = useTRPCClient();
  const queryClient = useQueryClient();
  return (
    <Question
      text={`This connection is refused from its next request on. To connect again, ${grant.clientName} must ask for access again.`}
      confirm="Revoke access"
      isCancelFirst={false}
      act={() => grants.revoke.mutate({ id: grant.id })}
      message={`The access of ${grant.clientName} is revoked.`}
      changed={() => queryClient.invalidateQueries(trpc.grants.list.queryFilter())}
      onClose={onClose}
    >
      <Facts
        facts={[
          ['Allowed by', grant.member.name],
          ['Last used', <RelativeTime key="used" at={grant.lastUsedAt} />],
          ['Used for', formatPlural(grant.requests, 'request')],
        ]}
      />
    </Question>
  );
}

interface GrantStatus extends WordStyle {
  /** The next step, or the reason. */
  hint?: string;
}

/** Only a copied code or token is used twice. */
const copied = 'It may have been copied. Connect again in the client.';

const statuses: Record<Grant['state'], GrantStatus> = {
  not_connected: {
    tone: 'warn',
    isHollow: true,
    word: 'Not connected',
    hint: 'Allowed, but the client has not come back. Connect again in the client.',
  },
  active: { tone: 'good', word: 'Connected' },
  denied: {
    tone: 'bad',
    isHollow: true,
    word: 'Denied',
    hint: 'To allow it, connect again in the client.',
  },
  expired: { tone: 'quiet', isHollow: true, word: 'Expired', hint: 'Not used for 60 days.' },
  revoked: { tone: 'quiet', isHollow: true, word: 'Revoked' },
  replaced: {
    tone: 'quiet',
    isHollow: true,
    word: 'Replaced',
    hint: 'The same person allowed this client again.',
  },
  member_removed: { tone: 'quiet', isHollow: true, word: 'Member removed' },
  code_reused: { tone: 'bad', word: 'Ended: code used twice', hint: copied },
  refresh_token_reused: { tone: 'bad', word: 'Ended: token used twice', hint: copied },
};

const waiting: GrantStatus = {
  tone: 'warn',
  isHollow: true,
  isMoving: true,
  word: 'Waiting for the first call',
  hint: 'Ask the client something.',
};

const grantStatus = ({ state, lastUsedAt }: Pick<Grant, 'state' | 'lastUsedAt'>): GrantStatus =>
  state === 'active' && lastUsedAt === null ? waiting : statuses[state];

const shownMax = 2;

/** The name of the preset with the same scopes, else the scopes, or their number. */
function scopesText(scopes: readonly Scope[]): string {
  const names = allScopes.filter((scope) => scopes.includes(scope));
  if (names.length === 0) return 'None';
  const preset = Object.values(presets).find((known) => known.scopes.join() === names.join());
  if (preset) return preset.label;
  return names.length > shownMax ? `${names.length} scopes` : names.join(', ');
}
