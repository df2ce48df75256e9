import { Modal, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import type { FormEvent } from 'react';
import { FailureNotice } from '../../components/failure-notice.tsx';
import { FormActions } from '../../components/form-actions.tsx';
import { useTRPC, type Member } from '../../trpc.ts';
import { useMembersChanged } from './members.ts';

interface RemoveMemberDialogProps {
  /** The member to remove. Undefined while the dialog is closed. */
  member: Member | undefined;
  onClose: () => void;
}

export function RemoveMemberDialog({ member, onClose }: RemoveMemberDialogProps) {
  return (
    <Modal opened={member !== undefined} onClose={onClose} title={`Remove ${member?.name}`}>
      {member ? <RemoveMember key={member.userId} member={member} onClose={onClose} /> : null}
    </Modal>
  );
}

function RemoveMember({ member, onClose }: { member: Member; onClose: () => void }) {
  const trpc = useTRPC();
  const changed = useMembersChanged();
  const { mutate, isPending, error } = useMutation(
    trpc.accounts.members.remove.mutationOptions({
      onSuccess: async () => {
        onClose();
        await changed();
      },
    }),
  );
  const submit = (event: FormEvent) => {
    event.preventDefault();
    mutate({ userId: member.userId });
  };
  return (
    <form onSubmit={submit}>
      <Stack gap="md">
        <Text size="sm">
          {member.email} can no longer open this workspace, from the next click on, and AI clients that they
          connected are refused. API keys they made go on working until an owner revokes them.
        </Text>
        {error ? <FailureNotice error={error} /> : null}
        <FormActions submit="Remove member" color="red" isPending={isPending} onCancel={onClose} />
      </Stack>
    </form>
  );
}
