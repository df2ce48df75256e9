import { Skeleton, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import type { ApiCall } from '../../../api-call.ts';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { SessionTimeField } from '../../../components/session-time-field.tsx';
import { UnsavedGuard } from '../../../components/unsaved-guard.tsx';
import { failureOf } from '../../../failure.ts';
import { useTRPC, type Session, type Webinar } from '../../../trpc.ts';
import { instantToZonedTime, zonedTimeToInstant } from '../../../zoned-time.ts';
import { peopleText } from '../people-text.ts';
import { useSessionsChanged } from './use-sessions.ts';

interface CreateSessionProps {
  webinar: Webinar;
  onClose: () => void;
}

export function CreateSession({ webinar: { id: webinarId, timezone }, onClose }: CreateSessionProps) {
  const trpc = useTRPC();
  const onSuccess = useSaved('The session was created.', onClose);
  const { mutate, isPending, error } = useMutation(trpc.sessions.create.mutationOptions({ onSuccess }));
  return (
    <StartForm
      initial={tomorrow(timezone)}
      timeZone={timezone}
      submit="Create session"
      isPending={isPending}
      error={error}
      apiCallOf={(startsAt) => ({
        operation: 'POST /webinars/{webinarId}/sessions',
        params: { webinarId },
        body: { startsAt, control: 'api' },
      })}
      onSubmit={(startsAt) => mutate({ webinarId, startsAt, control: 'api' })}
      onCancel={onClose}
    >
      People can register for this time. The session starts, moves and ends only by your calls or on this
      page, never by the clock.
    </StartForm>
  );
}

const hourMs = 3_600_000;

/** The next full hour, tomorrow. */
const tomorrow = (timeZone: string): string =>
  instantToZonedTime(Math.ceil(Date.now() / hourMs) * hourMs + 24 * hourMs, timeZone);

interface MoveSessionProps extends CreateSessionProps {
  sessionId: string;
}

export function MoveSession({ sessionId, ...props }: MoveSessionProps) {
  const trpc = useTRPC();
  const query = trpc.sessions.get.queryOptions({ webinarId: props.webinar.id, sessionId });
  const { data, error, refetch } = useQuery(query);
  if (data) return <MoveForm {...props} session={data.data} />;
  if (error) return <FailureNotice error={error} onRetry={() => void refetch()} />;
  return <Skeleton height={180} aria-busy />;
}

function MoveForm({ webinar: { timezone }, session, onClose }: CreateSessionProps & { session: Session }) {
  const trpc = useTRPC();
  const { id: sessionId, webinarId, startsAt: before, registrationCount } = session;
  const onSuccess = useSaved('The session was moved.', onClose);
  const { mutate, isPending, error } = useMutation(trpc.sessions.update.mutationOptions({ onSuccess }));
  return (
    <StartForm
      initial={instantToZonedTime(Date.parse(before), timezone)}
      timeZone={timezone}
      submit="Move session"
      isPending={isPending}
      error={error}
      apiCallOf={(startsAt) => ({
        operation: 'PATCH /webinars/{webinarId}/sessions/{sessionId}',
        params: { webinarId, sessionId },
        body: { startsAt },
      })}
      onSubmit={(startsAt) => mutate({ webinarId, sessionId, startsAt })}
      onCancel={onClose}
    >
      {movingText(registrationCount)} The length stays the same, and the schedule does not offer the former
      time again.
    </StartForm>
  );
}

function movingText(count: number): string {
  if (count === 0) return 'No one is registered for this session.';
  const verbs = count === 1 ? 'is registered and keeps' : 'are registered and keep';
  return `${peopleText(count)} ${verbs} the place and the join link. They get the e-mail about a new time, if it is switched on. Rules that send before the session follow it.`;
}

function useSaved(message: string, onClose: () => void) {
  const changed = useSessionsChanged();
  return async () => {
    await changed();
    notifications.show({ message });
    onClose();
  };
}

interface StartFormProps {
  /** The value of a `datetime-local` input, in the webinar's zone. */
  initial: string;
  timeZone: string;
  submit: string;
  isPending: boolean;
  error: unknown;
  /** The call for a start, an instant in ISO 8601. */
  apiCallOf: (startsAt: string | null) => ApiCall;
  /** An instant, ISO 8601. */
  onSubmit: (startsAt: string) => void;
  onCancel: () => void;
  children: ReactNode;
}

/** The form of a session's start. The reasons of the API are shown at the field. */
function StartForm({ initial, timeZone, error, apiCallOf, onSubmit, children, ...actions }: StartFormProps) {
  const [first] = useState(initial);
  const [value, setValue] = useState(first);
  const [refusal, setRefusal] = useState<string>();
  // The refusal of the API belongs to the time that was sent.
  const [sent, setSent] = useState<string>();
  const ofService = error && sent === value ? startProblem(error) : undefined;
  const startsAt = value === '' ? null : zonedTimeToInstant(value, timeZone);
  const send = () => {
    const problem = startsAt === null ? 'Enter a date and a time.' : pastProblem(startsAt);
    setRefusal(problem);
    if (startsAt === null || problem !== undefined) return;
    setSent(value);
    onSubmit(startsAt);
  };
  return (
    <DialogForm
      {...actions}
      error={sent === value && ofService === undefined ? error : null}
      apiCall={apiCallOf(startsAt)}
      onSubmit={() => {
        send();
      }}
    >
      <UnsavedGuard
        isDirty={value !== first && !actions.isPending}
        isOpenWith={({ create, move }) => create === true || move !== undefined}
      />
      <Text size="sm">{children}</Text>
      <SessionTimeField
        label="Starts at"
        timeZone={timeZone}
        value={value}
        onChange={(next) => {
          setValue(next);
          setRefusal(undefined);
        }}
        error={refusal ?? ofService}
      />
    </DialogForm>
  );
}

const pastProblem = (startsAt: string): string | undefined =>
  Date.parse(startsAt) <= Date.now() ? 'Must be in the future.' : undefined;

/** The message for the field, when the API refused the time. */
function startProblem(error: unknown): string | undefined {
  const { code, message, issues } = failureOf(error);
  if (code === 'session_exists') return message;
  return issues.find(({ path }) => path === 'startsAt')?.message;
}
