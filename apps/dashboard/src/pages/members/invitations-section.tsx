import { Button, Table } from '@mantine/core';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { CopyAction } from '../../components/copy.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { DueTime } from '../../components/relative-time.tsx';
import { Section } from '../../components/section.tsx';
import { ActionsHead, TableCard } from '../../components/table-card.tsx';
import { focusContentIfLost } from '../../focus.ts';
import { useTRPC, type Invitation } from '../../trpc.ts';
import { invitationLink, roleTexts } from './members.ts';

const columns = ['E-mail', 'Role', 'Ends', <ActionsHead key="actions" />];

/** Invitations that can be accepted. Hidden when there are none. */
export function InvitationsSection() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.accounts.invitations.list.queryOptions());
  const invitations = data?.data;
  if (error && !invitations) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  if (!invitations?.length) return null;
  return (
    <Section
      title="Open invitations"
      text="An invitation can be accepted by a person who has its link and signs in with its e-mail address."
    >
      <TableCard name="Open invitations" columns={columns} minWidth={520}>
        {invitations.map((invitation) => (
          <InvitationRow key={invitation.id} invitation={invitation} />
        ))}
      </TableCard>
    </Section>
  );
}

function InvitationRow({ invitation }: { invitation: Invitation }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const { mutate, isPending } = useMutation(
    trpc.accounts.invitations.cancel.mutationOptions({
      onSettled: async () => {
        await queryClient.invalidateQueries(trpc.accounts.invitations.list.queryFilter());
        // A cancelled invitation has no row.
        setTimeout(focusContentIfLost);
      },
    }),
  );
  return (
    <Table.Tr>
      <Table.Td fw={550}>
        {invitation.email}{' '}
        <CopyAction text={invitationLink(invitation)} label={`Copy the link for ${invitation.email}`} />
      </Table.Td>
      <Table.Td>{roleTexts[invitation.role]}</Table.Td>
      <Table.Td>
        <DueTime at={invitation.expiresAt} />
      </Table.Td>
      <Table.Td ta="right">
        <Button
          variant="subtle"
          size="compact-sm"
          loading={isPending}
          aria-label={`Cancel the invitation of ${invitation.email}`}
          onClick={() => mutate({ invitationId: invitation.id })}
        >
          Cancel
        </Button>
      </Table.Td>
    </Table.Tr>
  );
}
