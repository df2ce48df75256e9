import { Button, Group, Modal, Stack, Text, TextInput } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { DialogForm, Question } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Section } from '../../../components/section.tsx';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { preferredWorkspace, sessionQuery } from '../../../session.ts';
import { useTRPC, useTRPCClient } from '../../../trpc.ts';
import { useSignOut } from '../../../use-sign-out.ts';
import { useSessionChanged, useWorkspace } from '../../../workspace.ts';

const nameLengthMax = 100;

export interface SettingSectionProps {
  isOwner: boolean;
  onDirty: (isDirty: boolean) => void;
}

export function NameSection({ isOwner, onDirty }: SettingSectionProps) {
  const trpc = useTRPC();
  const changed = useSessionChanged();
  const { workspace } = useWorkspace();
  const [name, setName] = useState(workspace.name);
  const isDirty = name.trim() !== workspace.name;
  useReportDirty(isDirty, onDirty);
  const { mutate, isPending, error } = useMutation(
    trpc.accounts.workspace.rename.mutationOptions({ onSuccess: changed }),
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
            <Button type="submit" loading={isPending} disabled={!isDirty}>
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

/** Another workspace, the end of the own membership, and for owners the end of this workspace. */
export function MembershipSection() {
  const [dialog, setDialog] = useState<'new' | 'leave' | 'delete'>();
  const { workspace } = useWorkspace();
  const close = () => setDialog(undefined);
  const titles = {
    new: 'New workspace',
    leave: `Leave ${workspace.name}`,
    delete: `Delete ${workspace.name}`,
  };
  return (
    <Section
      title="Your workspaces"
      text="A workspace has its own webinars, people, keys and members. You can be a member of several."
    >
      <Group gap="xs">
        <Button variant="default" onClick={() => setDialog('new')}>
          {titles.new}
        </Button>
        <Button variant="default" className="quiet-danger" onClick={() => setDialog('leave')}>
          {titles.leave}
        </Button>
        {workspace.role === 'owner' ? (
          <Button variant="default" className="quiet-danger" onClick={() => setDialog('delete')}>
            {titles.delete}
          </Button>
        ) : null}
      </Group>
      <Modal opened={dialog !== undefined} onClose={close} title={dialog ? titles[dialog] : ''}>
        {dialog === 'new' ? <NewWorkspaceForm onClose={close} /> : null}
        {dialog === 'leave' ? <LeaveQuestion onClose={close} /> : null}
        {dialog === 'delete' ? <DeleteQuestion onClose={close} /> : null}
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

const lastText =
  ' It is your only workspace, so you are signed out. At your next sign-in you get a new, empty one.';

/** After this workspace is gone for the person: opens another one, or signs out. */
function useOpenAnother(): { isLast: boolean; openAnother: () => Promise<void> } {
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const signOut = useSignOut();
  const { workspaces } = useWorkspace();
  const isLast = workspaces.length === 1;
  const openAnother = async () => {
    if (isLast) return signOut();
    const next = preferredWorkspace(await queryClient.fetchQuery({ ...sessionQuery, staleTime: 0 }));
    return navigate({ to: '/w/$workspaceId/webinars', params: { workspaceId: next?.id ?? '' } });
  };
  return { isLast, openAnother };
}

function DeleteQuestion({ onClose }: { onClose: () => void }) {
  const { accounts } = useTRPCClient();
  const { workspace } = useWorkspace();
  const { isLast, openAnother } = useOpenAnother();
  const [typed, setTyped] = useState('');
  return (
    <Question
      text={`Everything of this workspace is deleted: webinars, registrations, history, revenue, keys and connections. Members lose access and keys are refused at once. Links of attendees usually stop within minutes, later if the workspace is large. This cannot be undone. Export first what you need.${isLast ? lastText : ''}`}
      confirm="Delete workspace"
      isCancelFirst={false}
      isDisabled={typed.trim() !== workspace.name.trim()}
      act={() => accounts.workspace.delete.mutate({ name: workspace.name })}
      onDone={openAnother}
      onClose={onClose}
    >
      <TextInput
        label="Type the name of the workspace to confirm"
        placeholder={workspace.name}
        autoComplete="off"
        data-autofocus
        value={typed}
        onChange={({ currentTarget }) => setTyped(currentTarget.value)}
      />
    </Question>
  );
}

function LeaveQuestion({ onClose }: { onClose: () => void }) {
  const { accounts } = useTRPCClient();
  const { workspace } = useWorkspace();
  const { isLast, openAnother } = useOpenAnother();
  return (
    <Question
      text={`You lose access to this workspace until an owner invites you again. AI clients that you connected are refused. API keys that you made go on working.${isLast ? lastText : ''}`}
      confirm="Leave workspace"
      act={() => accounts.members.leave.mutate({ workspaceId: workspace.id })}
      onDone={openAnother}
      onClose={onClose}
    />
  );
}
