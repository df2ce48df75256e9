import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { useTRPC, type Webinar } from '../../../trpc.ts';
import { instantToZonedTime } from '../../../zoned-time.ts';
import { StartForm } from './start-form.tsx';
import { useSessionsChanged } from './use-sessions.ts';

interface CreateSessionProps {
  webinar: Webinar;
  onClose: () => void;
}

export function CreateSession({ webinar, onClose }: CreateSessionProps) {
  const trpc = useTRPC();
  const changed = useSessionsChanged();
  const { mutate, isPending, error } = useMutation(
    trpc.sessions.create.mutationOptions({
      onSuccess: async () => {
        await changed();
        notifications.show({ message: 'The session was created.' });
        onClose();
      },
    }),
  );
  return (
    <StartForm
      initial={tomorrow(webinar.timezone)}
      timeZone={webinar.timezone}
      submit="Create session"
      isPending={isPending}
      error={error}
      apiCallOf={(startsAt) => ({
        operation: 'POST /webinars/{webinarId}/sessions',
        params: { webinarId: webinar.id },
        body: { startsAt, control: 'api' },
      })}
      onSubmit={(startsAt) => mutate({ webinarId: webinar.id, startsAt, control: 'api' })}
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
