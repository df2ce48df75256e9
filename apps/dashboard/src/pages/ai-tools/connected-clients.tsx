import { Table, Text } from '@mantine/core';
import { IconPlugConnected } from '@tabler/icons-react';
import { useQuery } from '@tanstack/react-query';
import { lazy } from 'react';
import { EmptyState } from '../../components/empty-state.tsx';
import { FirstUse } from '../../components/first-use.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { Status } from '../../components/status.tsx';
import { ActionsHead, TableCard } from '../../components/table-card.tsx';
import { formatCount } from '../../format.ts';
import { useTRPC, type Grant } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { RevokeButton } from '../keys/revoke-button.tsx';
import { grantStatus, scopesText } from './grant-texts.ts';
import { useAiToolsSearch } from './use-ai-tools-search.ts';

const RevokeGrantDialog = lazy(async () => ({
  default: (await import('./revoke-grant-dialog.tsx')).RevokeGrantDialog,
}));

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
  return (
    <Section
      title="Connected clients"
      text={
        workspace.role === 'owner'
          ? 'Clients that asked members for access to act in their name. Clients with a key are under API keys.'
          : 'Clients that asked you for access to act in your name. Owners see those of all members.'
      }
    >
      {error && !grants ? <FailureNotice error={error} onRetry={() => void refetch()} /> : null}
      {grants?.length === 0 ? (
        <EmptyState icon={IconPlugConnected} title="No connected clients yet">
          Choose a client above and follow its steps. When you allow or deny the access, it appears here.
        </EmptyState>
      ) : null}
      {grants?.length === 0 || (error && !grants) ? null : (
        <TableCard name="Connected clients" columns={columns} minWidth={960}>
          {grants?.map((grant) => (
            <GrantRow key={grant.id} grant={grant} onRevoke={() => show({ revoke: grant.id })} />
          ))}
        </TableCard>
      )}
      <FirstUse isOpen={search.revoke !== undefined}>
        <RevokeGrantDialog
          grant={grants?.find(({ id, endedAt }) => id === search.revoke && endedAt === null)}
          onClose={() => show({ revoke: undefined })}
        />
      </FirstUse>
    </Section>
  );
}

function GrantRow({ grant, onRevoke }: { grant: Grant; onRevoke: () => void }) {
  const { word, hint, ...style } = grantStatus(grant);
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
        <Status {...style}>{word}</Status>
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
        <Text inherit truncate title={grant.member.name}>
          {grant.member.name}
        </Text>
      </Table.Td>
      <Table.Td ta="end">
        {grant.endedAt === null ? (
          <RevokeButton label={grant.clientName} isAllowed onClick={onRevoke} />
        ) : null}
      </Table.Td>
    </Table.Tr>
  );
}
