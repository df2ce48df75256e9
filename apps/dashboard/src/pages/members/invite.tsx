import { Button, Group, Select, Stack, Text, TextInput } from '@mantine/core';
import { isEmail, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { CodeBlock } from '../../components/code-block.tsx';
import { CopyButton } from '../../components/copy.tsx';
import { DialogForm } from '../../components/dialog-form.tsx';
import { failureOf, fieldErrors } from '../../failure.ts';
import { focusFirstProblem } from '../../focus.ts';
import { useTRPC, type NewInvitation } from '../../trpc.ts';
import { invitationLink, roleTexts, type Role } from './members.ts';

const fields = ['email', 'role'];
const roles = Object.entries(roleTexts).map(([value, label]) => ({ value, label }));

interface InviteProps {
  made: NewInvitation | undefined;
  onMade: (invitation: NewInvitation) => void;
  onClose: () => void;
}

/** Asks for the e-mail address, then shows the link, and says whether it is sent by e-mail. */
export const Invite = ({ made, onMade, onClose }: InviteProps) =>
  made ? (
    <InvitationLink invitation={made} onClose={onClose} />
  ) : (
    <InviteForm onMade={onMade} onClose={onClose} />
  );

function InviteForm({ onMade, onClose }: Omit<InviteProps, 'made'>) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const form = useForm<{ email: string; role: Role }>({
    initialValues: { email: '', role: 'member' },
    validate: { email: isEmail('Enter an e-mail address.') },
  });
  const { mutate, isPending, error } = useMutation(
    trpc.accounts.invitations.create.mutationOptions({
      onSuccess: async ({ data }) => {
        await queryClient.invalidateQueries(trpc.accounts.invitations.list.queryFilter());
        onMade(data);
      },
      onError: (refusal) => form.setErrors(fieldErrors(failureOf(refusal), fields)),
    }),
  );
  return (
    <DialogForm
      error={error}
      shownPaths={fields}
      submit="Make invitation"
      isPending={isPending}
      onSubmit={form.onSubmit((values) => mutate(values), focusFirstProblem)}
      onCancel={onClose}
    >
      <TextInput
        label="E-mail"
        type="email"
        autoComplete="off"
        data-autofocus
        autoFocus
        {...form.getInputProps('email')}
      />
      <Select label="Role" data={roles} allowDeselect={false} {...form.getInputProps('role')} />
    </DialogForm>
  );
}

function InvitationLink({ invitation, onClose }: { invitation: NewInvitation; onClose: () => void }) {
  const link = invitationLink(invitation);
  return (
    <Stack gap="md">
      <Text size="sm">
        {invitation.isMailed
          ? `${invitation.email} gets a mail with this link. `
          : `No mail is sent. Send this link to ${invitation.email}. `}
        It can be used once, within a week, after signing in with that e-mail address.
      </Text>
      <CodeBlock text={link} label="The invitation link" testId="invitation-link" />
      <Group justify="flex-end" gap="xs">
        <CopyButton text={link} label="Copy link" variant="filled" autoFocus />
        <Button variant="default" onClick={onClose}>
          Done
        </Button>
      </Group>
    </Stack>
  );
}
