import { Skeleton, Text, TextInput } from '@mantine/core';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { Question } from '../../../components/dialog-form.tsx';
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
  const params = { webinarId: webinar.id };
  return (
    <Question
      confirm={titles[verb]}
      isCancelFirst={false}
      isDisabled={!isConfirmed}
      apiCall={
        verb === 'archive'
          ? { operation: 'POST /webinars/{webinarId}/archive', params }
          : { operation: 'DELETE /webinars/{webinarId}', params }
      }
      act={async () => {
        if (verb === 'archive') await client.webinars.archive.mutate(params);
        else await client.webinars.delete.mutate(params);
      }}
      message={`“${webinar.title}” ${results[verb]}.`}
      onDone={() => {
        onClose();
        onRetired?.();
        return queryClient.invalidateQueries(trpc.webinars.list.pathFilter());
      }}
      onClose={onClose}
    >
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
    </Question>
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
