import { Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { useState, type FormEvent } from 'react';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormActions } from '../../../components/form-actions.tsx';
import { formatPlural } from '../../../format.ts';
import { useTRPC, useTRPCClient, type Webinar } from '../../../trpc.ts';
import styles from './actions.module.css';

type Verb = 'archive' | 'delete';

interface RetireFormProps {
  webinar: Webinar;
  verb: Verb;
  onClose: () => void;
  onRetired?: (() => void) | undefined;
}

const titles = { archive: 'Archive webinar', delete: 'Delete webinar' };
const results = { archive: 'is archived', delete: 'is deleted' };

/** Archiving and deleting end a webinar for its attendees. Both say what stops, and neither can be undone. */
export function RetireForm({ webinar, verb, onClose, onRetired }: RetireFormProps) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const [typed, setTyped] = useState('');
  const isConfirmed = verb === 'archive' || typed.trim() === webinar.title.trim();
  const { mutate, isPending, error } = useMutation({
    mutationFn: async () => {
      const address = { webinarId: webinar.id };
      if (verb === 'archive') await client.webinars.archive.mutate(address);
      else await client.webinars.delete.mutate(address);
    },
    onSuccess: async () => {
      onClose();
      onRetired?.();
      notifications.show({ message: `“${webinar.title}” ${results[verb]}.` });
      await queryClient.invalidateQueries(trpc.webinars.list.pathFilter());
    },
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (isConfirmed) mutate();
  };
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <Consequences webinarId={webinar.id} verb={verb} />
        {verb === 'delete' ? (
          <TextInput
            label="Type the title to confirm"
            placeholder={webinar.title}
            autoComplete="off"
            data-autofocus
            autoFocus
            value={typed}
            onChange={({ currentTarget }) => setTyped(currentTarget.value)}
          />
        ) : null}
        {error ? <FailureNotice error={error} /> : null}
        <FormActions
          submit={titles[verb]}
          color="red"
          isDisabled={!isConfirmed}
          isPending={isPending}
          apiCall={{
            operation:
              verb === 'archive' ? 'POST /webinars/{webinarId}/archive' : 'DELETE /webinars/{webinarId}',
            params: { webinarId: webinar.id },
          }}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}

function Consequences({ webinarId, verb }: { webinarId: string; verb: Verb }) {
  const trpc = useTRPC();
  const { data, error } = useQuery(trpc.sessions.open.queryOptions({ webinarId }));
  return (
    <>
      <ul className={styles['consequences']}>
        <li>{data || error ? sessionsText(data?.data) : <Skeleton height={12} width={240} my={4} />}</li>
        <li>Its room closes, and its personal join links stop working.</li>
        <li>No event or timer fires its rules any more. Deliveries that are waiting are still sent.</li>
        <li>
          It disappears from the dashboard and from the API
          {verb === 'delete' ? ', and its address becomes free.' : '. Its address stays taken.'}
        </li>
      </ul>
      <Text size="sm" fw={550}>
        This cannot be undone.
      </Text>
    </>
  );
}

function sessionsText(open: { sessions: number; registrations: number } | undefined): string {
  if (!open) return 'Its sessions that have not ended are cancelled.';
  if (open.sessions === 0) return 'It has no sessions that have not ended.';
  const sessions = formatPlural(open.sessions, 'session');
  return `${sessions} that ${open.sessions === 1 ? 'has' : 'have'} not ended ${open.sessions === 1 ? 'is' : 'are'} cancelled, with ${formatPlural(open.registrations, 'registration')}.`;
}
