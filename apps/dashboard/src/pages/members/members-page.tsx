import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { TableCard } from '../../components/table-card.tsx';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';

const columns = ['Name', 'E-mail', 'Role', 'Joined'];
const roles = { owner: 'Owner', member: 'Member' };

export function MembersPage() {
  const trpc = useTRPC();
  const { workspace, user } = useWorkspace();
  const { data, error, refetch } = useQuery(trpc.accounts.members.list.queryOptions());
  const members = data?.data;
  return (
    <Page
      title="Members"
      description={`Who can open ${workspace.name}. Members create keys and webinars; only owners revoke keys.`}
    >
      {error && !members ? (
        <FailureNotice error={error} onRetry={() => void refetch()} />
      ) : (
        <TableCard name="Members" columns={columns} minWidth={560}>
          {members?.map((member) => (
            <Table.Tr key={member.userId}>
              <Table.Td fw={550}>
                {member.name}
                {member.userId === user.id ? ' (you)' : ''}
              </Table.Td>
              <Table.Td>{member.email}</Table.Td>
              <Table.Td>{roles[member.role]}</Table.Td>
              <Table.Td>
                <RelativeTime at={member.joinedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </TableCard>
      )}
    </Page>
  );
}
