import { Table, Text } from '@mantine/core';
import { IconHistory } from '@service/icons';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ChoiceFilter } from '../../../components/choice-filter.tsx';
import { EmptyState } from '../../../components/empty-state.tsx';
import { FilterBar } from '../../../components/filter-bar.tsx';
import { ListResult, LoadMore } from '../../../components/load-more.tsx';
import { Page } from '../../../components/page.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { CutText, TableCard } from '../../../components/table-card.tsx';
import { formatExact } from '../../../format.ts';
import { usePaged } from '../../../paged.ts';
import { useRetention } from '../../../retention.ts';
import { useTRPC, useTRPCClient, type MemberChange } from '../../../trpc.ts';
import { useWorkspace, WorkspaceLink } from '../../../workspace.ts';

const route = getRouteApi('/w/$workspaceId/settings/audit-log');

/** Changes of members in the dashboard, for owners. */
export function AuditLogPage() {
  const { workspace } = useWorkspace();
  const retention = useRetention();
  return (
    <Page
      title="Audit log"
      description={`Changes that members made in the dashboard: who, when, and which fields, without values. They are kept ${retention?.history ?? ''}. Calls of keys and AI clients are under Activity.`}
    >
      {workspace.role === 'owner' ? (
        <Changes />
      ) : (
        <Text size="sm">Only owners of the workspace can see the audit log.</Text>
      )}
    </Page>
  );
}

const columns = ['Time', 'Member', 'Change', 'Fields'];

function Changes() {
  const trpc = useTRPC();
  const { accounts } = useTRPCClient();
  const { member: memberId } = route.useSearch();
  const navigate = route.useNavigate();
  const { data: members } = useQuery(trpc.accounts.members.list.queryOptions());
  const { items, error, refetch, ...more } = usePaged({
    queryKey: [...trpc.accounts.changes.list.queryKey(), { memberId }],
    fetchPage: (page, signal) => accounts.changes.list.query({ memberId, ...page }, { signal }),
  });
  return (
    <>
      <FilterBar>
        <ChoiceFilter
          label="Member"
          choices={(members?.data ?? []).map(({ userId, name }) => ({ value: userId, label: name }))}
          value={memberId}
          onChange={(member) => void navigate({ search: { member } })}
        />
      </FilterBar>
      <ListResult
        items={items}
        error={error}
        refetch={refetch}
        empty={
          <EmptyState icon={IconHistory} title="No changes">
            A change of a webinar, a rule, a key, a member or a setting appears here at once.
          </EmptyState>
        }
      >
        <TableCard
          name="Audit log"
          columns={columns}
          minWidth={640}
          rows={items}
          renderRow={(change) => <ChangeRow key={change.id} change={change} />}
        />
        <LoadMore {...more} />
      </ListResult>
    </>
  );
}

function ChangeRow({ change }: { change: MemberChange }) {
  const webinarId = change.records.find(({ field }) => field === 'webinarId')?.id;
  return (
    <Table.Tr>
      <Table.Td>
        <RelativeTime at={change.at} />
        <Text size="xs" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
          {formatExact(change.at)}
        </Text>
      </Table.Td>
      <Table.Td maw={180}>
        <CutText text={change.memberName} />
      </Table.Td>
      <Table.Td maw={280}>
        <CutText text={actionText(change.procedure)} />
        <CutText text={change.subject ?? undefined} isSmall />
        {webinarId === undefined ? null : (
          <WorkspaceLink to="/w/$workspaceId/webinars/$webinarId" params={{ webinarId }}>
            Webinar
          </WorkspaceLink>
        )}
      </Table.Td>
      <Table.Td maw={260}>
        <CutText text={change.fields.map(wordsOf).join(', ')} />
        <CutText text={change.records.map(recordText).join(', ') || undefined} isSmall />
      </Table.Td>
    </Table.Tr>
  );
}

/** `accounts.members.setRole` becomes "Members: set role". */
function actionText(procedure: string): string {
  const [verb = '', noun = ''] = procedure.split('.').toReversed();
  return `${noun.slice(0, 1).toUpperCase()}${wordsOf(noun.slice(1))}: ${wordsOf(verb)}`;
}

/** `expiresAt` becomes "expires at". */
const wordsOf = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

const recordText = ({ field, id }: MemberChange['records'][number]): string =>
  `${wordsOf(field)} …${id.slice(-12)}`;
