import { Button, Checkbox, Menu, Modal, Stack, Table, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { IconArrowsExchange, IconUserMinus, IconUserPlus } from '@service/icons';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { lazy, useState } from 'react';
import { Question } from '../../components/dialog-form.tsx';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { LateModal } from '../../components/late-modal.tsx';
import { MoreMenu } from '../../components/more-menu.tsx';
import { ExportLink } from '../../components/export-link.tsx';
import { Page } from '../../components/page.tsx';
import { RelativeTime } from '../../components/relative-time.tsx';
import { ActionsHead, TableCard } from '../../components/table-card.tsx';
import { failureOf } from '../../failure.ts';
import { formatPlural } from '../../format.ts';
import { useTRPC, useTRPCClient, type Member, type NewInvitation } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { InvitationsSection } from './invitations-section.tsx';
import { roleTexts, useMembersChanged } from './members.ts';

export function MembersPage() {
  const { workspace } = useWorkspace();
  const [isInviting, setIsInviting] = useState(false);
  const isOwner = workspace.role === 'owner';
  return (
    <Page
      title="Members"
      description={`People with access to ${workspace.name}. Members create keys and webinars; only owners revoke keys and manage members.`}
      actions={
        <>
          <ExportLink list="members" of="Members" />
          {isOwner ? (
            <Button leftSection={<IconUserPlus size={15} />} onClick={() => setIsInviting(true)}>
              Invite
            </Button>
          ) : null}
        </>
      }
    >
      <Stack gap="xl">
        <MembersTable isOwner={isOwner} />
        {isOwner ? <InvitationsSection /> : null}
      </Stack>
      <InviteDialog isOpen={isInviting} onClose={() => setIsInviting(false)} />
    </Page>
  );
}

const columns = ['Name', 'Role', 'E-mail', 'Joined'];
const ownerColumns = [...columns, <ActionsHead key="actions" />];

/** All members of the workspace. An owner can change roles and remove members. */
function MembersTable({ isOwner }: { isOwner: boolean }) {
  const trpc = useTRPC();
  const { user } = useWorkspace();
  const [leaving, setLeaving] = useState<Member>();
  const close = () => setLeaving(undefined);
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
      <Modal opened={leaving !== undefined} onClose={close} title={`Remove ${leaving?.name}`}>
        {leaving ? <RemoveMember key={leaving.userId} member={leaving} onClose={close} /> : null}
      </Modal>
    </div>
  );
}

/** Actions of an owner on one member. */
function MemberMenu({ member, onRemove }: { member: Member; onRemove: () => void }) {
  const trpc = useTRPC();
  const changed = useMembersChanged();
  const other = member.role === 'owner' ? 'member' : 'owner';
  const { mutate, isPending } = useMutation(
    trpc.accounts.members.setRole.mutationOptions({
      onSuccess: changed,
      onError: (error) => notifications.show({ color: 'red', message: failureOf(error).message }),
    }),
  );
  return (
    <MoreMenu label={`Change ${member.name}`} loading={isPending}>
      <Menu.Item
        leftSection={<IconArrowsExchange size={15} />}
        onClick={() => mutate({ userId: member.userId, role: other })}
      >
        Make {roleTexts[other].toLowerCase()}
      </Menu.Item>
      <Menu.Item color="red" leftSection={<IconUserMinus size={15} />} onClick={onRemove}>
        Remove from workspace
      </Menu.Item>
    </MoreMenu>
  );
}

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const trpc = useTRPC();
  const { accounts } = useTRPCClient();
  const queryClient = useQueryClient();
  const changed = useMembersChanged();
  const [revokesKeys, setRevokesKeys] = useState(false);
  const { data, error } = useQuery(trpc.keys.list.queryOptions());
  const keys = data?.data.filter(
    ({ createdBy }) => createdBy.kind === 'member' && createdBy.id === member.userId,
  );
  return (
    <Question
      text={`${member.email} can no longer open this workspace, from the next click on, and AI clients that they connected are refused.`}
      confirm="Remove member"
      isCancelFirst={false}
      isDisabled={!keys && !error}
      act={() => accounts.members.remove.mutate({ userId: member.userId, revokesKeys })}
      onDone={() => {
        onClose();
        void queryClient.invalidateQueries(trpc.keys.list.queryFilter());
        return changed();
      }}
      onClose={onClose}
    >
      {error ? <FailureNotice error={error} /> : null}
      {keys?.length === 0 ? <Text size="sm">They made no API keys.</Text> : null}
      {keys?.length ? (
        <Stack gap="sm">
          <Text size="sm">
            They made {formatPlural(keys.length, 'API key')}. A key works until an owner revokes it.
          </Text>
          {keys.map(({ id, label, maskedKey, lastUsedAt }) => (
            <Text key={id} size="sm" style={{ overflowWrap: 'anywhere' }}>
              {label} (<code>{maskedKey}</code>), last used: <RelativeTime at={lastUsedAt} />
            </Text>
          ))}
          <Checkbox
            label={`Revoke ${keys.length === 1 ? 'this key' : `these ${keys.length} keys`} too`}
            description="Systems that use them are refused from their next request on. This cannot be undone."
            checked={revokesKeys}
            onChange={({ currentTarget }) => setRevokesKeys(currentTarget.checked)}
          />
        </Stack>
      ) : null}
    </Question>
  );
}

// The list does not wait for the form.
const Invite = lazy(async () => ({ default: (await import('./invite.tsx')).Invite }));

const titleOf = (made: NewInvitation | undefined): string => {
  if (!made) return 'Invite a person';
  return made.isMailed ? 'Invitation sent' : 'Send this link';
};

/** Two steps: the form, then the link. */
function InviteDialog({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const [made, setMade] = useState<NewInvitation>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <LateModal opened={isOpen} onClose={close} title={titleOf(made)} height={200}>
      <Invite made={made} onMade={setMade} onClose={close} />
    </LateModal>
  );
}
