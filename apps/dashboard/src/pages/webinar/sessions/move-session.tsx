import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTRPC, type Session, type Webinar } from '../../../trpc.ts';
import { instantToZonedTime } from '../../../zoned-time.ts';
import { peopleText } from '../people-text.ts';
import { StartForm } from './start-form.tsx';
import { useSessionsChanged } from './use-sessions.ts';

interface MoveSessionProps {
  webinar: Webinar;
  session: Session;
  onClose: () => void;
}

export function MoveSession({ webinar, session, onClose }: MoveSessionProps) {
  const trpc = useTRPC();
  const changed = useSessionsChanged();
  const { id: sessionId, webinarId, startsAt: before, registrationCount } = session;
  const { mutate, isPending, error } = useMutation(
    trpc.sessions.update.mutationOptions({
      onSuccess: async () => {
        await changed();
        notifications.show({ message: 'The session was moved.' });
        onClose();
      },
    }),
  );
  return (
    <StartForm
      initial={instantToZonedTime(Date.parse(before), webinar.timezone)}
      timeZone={webinar.timezone}
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
  return `${peopleText(count)} ${verbs} the place and the join link. No message about the new time is sent. Rules that send before the session follow it.`;
}
