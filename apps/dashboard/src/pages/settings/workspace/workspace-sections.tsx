import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate, useRouter } from '@tanstack/react-router';
import { useState } from 'react';
import { DialogForm, Question } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { preferredWorkspace, sessionQuery } from '../../../session.ts';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';
import { useSignOut } from '../../../use-sign-out.ts';
import { useWorkspace } from '../../../workspace.ts';

const nameLengthMax = 100;

export function NameSection({ isOwner }: { isOwner: boolean }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const router = useRouter();
  const { workspace } = useWorkspace();
  const [name, setName] = useState(workspace.name);
  const { mutate, isPending, error } = useMutation(
    trpc.accounts.workspace.rename.mutationOptions({
      onSuccess: async () => {
        await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
        await router.invalidate();
      },
    }),
  );
  const errors = error ? fieldErrors(failureOf(error), ['name']) : {};
  return (
    <Section title="Name" text="Members, invitations and the pages that attendees see show it.">
      {isOwner ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            mutate({ name });
          }}
        >
          <Stack gap="sm" align="flex-start">
            <TextInput
              label="Name of the workspace"
              maxLength={nameLengthMax}
              autoComplete="off"
              w="100%"
              maw={320}
              value={name}
              onChange={({ currentTarget }) => setName(currentTarget.value)}
              error={errors['name']}
            />
            {error && !errors['name'] ? <FailureNotice error={error} /> : null}
            <Button type="submit" loading={isPending} disabled={name.trim() === workspace.name}>
              Save
            </Button>
          </Stack>
        </form>
      ) : (
        <Text size="sm">{workspace.name}</Text>
      )}
    </Section>
  );
}

/** Another workspace, and the end of the own membership. */
export function MembershipSection() {
  const [dialog, setDialog] = useState<'new' | 'leave'>();
  const { workspace } = useWorkspace();
  const close = () => setDialog(undefined);
  return (
    <Section
      title="Your workspaces"
      text="A workspace has its own webinars, people, keys and members. You can be a member of several."
    >
      <Group gap="xs">
        <Button variant="default" onClick={() => setDialog('new')}>
          New workspace
        </Button>
        <Button variant="default" className="quiet-danger" onClick={() => setDialog('leave')}>
          Leave {workspace.name}
        </Button>
      </Group>
      <Modal opened={dialog === 'new'} onClose={close} title="New workspace">
        {dialog === 'new' ? <NewWorkspaceForm onClose={close} /> : null}
      </Modal>
      <Modal opened={dialog === 'leave'} onClose={close} title={`Leave ${workspace.name}`}>
        {dialog === 'leave' ? <LeaveQuestion onClose={close} /> : null}
      </Modal>
    </Section>
  );
}

function NewWorkspaceForm({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const [name, setName] = useState('');
  const { mutate, isPending, error } = useMutation(
    trpc.accounts.workspace.create.mutationOptions({
      onSuccess: async ({ data }) => {
        await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 });
        await navigate({ to: '/w/$workspaceId/webinars', params: { workspaceId: data.id } });
      },
    }),
  );
  return (
    <DialogForm
      error={error}
      shownPaths={['name']}
      submit="Create workspace"
      isPending={isPending}
      isDisabled={name.trim() === ''}
      onSubmit={() => mutate({ name })}
      onCancel={onClose}
    >
      <TextInput
        label="Name"
        description="You are its owner, and invite others afterwards."
        maxLength={nameLengthMax}
        autoComplete="off"
        data-autofocus
        value={name}
        onChange={({ currentTarget }) => setName(currentTarget.value)}
        error={error ? fieldErrors(failureOf(error), ['name'])['name'] : undefined}
      />
    </DialogForm>
  );
}

function LeaveQuestion({ onClose }: { onClose: () => void }) {
  const { accounts } = useTRPCClient();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { workspace, workspaces } = useWorkspace();
  const isLast = workspaces.length === 1;
  return (
    <Question
      text={`You lose access to this workspace until an owner invites you again. AI clients that you connected are refused. API keys that you made go on working.${isLast ? ' It is your only workspace, so you are signed out. At your next sign-in you get a new one.' : ''}`}
      confirm="Leave workspace"
      act={() => accounts.members.leave.mutate({ workspaceId: workspace.id })}
      onDone={async () => {
        if (isLast) return signOut();
        const next = preferredWorkspace(await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }));
        return navigate({ to: '/w/$workspaceId/webinars', params: { workspaceId: next?.id ?? '' } });
      }}
      onClose={onClose}
    />
  );
}
