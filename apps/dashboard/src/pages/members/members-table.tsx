import { Table } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ActionsHead, TableCard } from '../../components/table-card.tsx';
import { useTRPC, type Member } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { MemberMenu } from './member-menu.tsx';
import { RemoveMemberDialog } from './remove-member-dialog.tsx';
import { roleTexts } from './members.ts';

const columns = ['Name', 'Role', 'E-mail', 'Joined'];
const ownerColumns = [...columns, <ActionsHead key="actions" />];

/** All members of the workspace. An owner can change roles and remove members. */
export function MembersTable({ isOwner }: { isOwner: boolean }) {
  const trpc = useTRPC();
  const { user } = useWorkspace();
  const [leaving, setLeaving] = useState<Member>();
  const { data, error, refetch } = useQuery(trpc.accounts.members.list.queryOptions());
  const members = data?.data;
  if (error && !members) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return (
    <div>
      <TableCard name="Members" columns={isOwner ? ownerColumns : columns} minWidth={560}>
        {members?.map((member) => (
          <Table.Tr key={member.userId}>
            <Table.Td fw={550}>
              {member.name}
              {member.userId === user.id ? ' (you)' : ''}
            </Table.Td>
            <Table.Td>{roleTexts[member.role]}</Table.Td>
            <Table.Td>{member.email}</Table.Td>
            <Table.Td>
              <RelativeTime at={member.joinedAt} />
            </Table.Td>
            {isOwner ? (
              <Table.Td ta="right">
                <MemberMenu member={member} onRemove={() => setLeaving(member)} />
              </Table.Td>
            ) : null}
          </Table.Tr>
        ))}
      </TableCard>
      <RemoveMemberDialog member={leaving} onClose={() => setLeaving(undefined)} />
    </div>
  );
}
