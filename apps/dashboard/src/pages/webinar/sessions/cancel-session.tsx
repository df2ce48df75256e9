import '../../../components/choices.css';
import { Button, Group, List, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormApiCall } from '../../../components/form-actions.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { useTRPC, type Session, type Webinar } from '../../../trpc.ts';
import { peopleText } from '../people-text.ts';
import { useSessionsChanged } from './use-sessions.ts';

interface CancelSessionProps {
  webinar: Webinar;
  session: Session;
  onClose: () => void;
}

export function CancelSession({ webinar, session, onClose }: CancelSessionProps) {
  const trpc = useTRPC();
  const changed = useSessionsChanged();
  const { id: sessionId, webinarId, startsAt } = session;
  const { mutate, isPending, error } = useMutation(
    trpc.sessions.cancel.mutationOptions({
      onSuccess: async () => {
        await changed();
        notifications.show({ message: 'The session was cancelled.' });
        onClose();
      },
    }),
  );
  return (
    <Stack gap="md">
      <Text size="sm">
        The session of <SessionTime at={startsAt} timeZone={webinar.timezone} /> does not take place. This
        cannot be undone.
      </Text>
      <List size="sm" spacing={4}>
        {consequences(session).map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
      {error ? <FailureNotice error={error} /> : null}
      <Group justify="flex-end" gap="xs">
        <FormApiCall
          call={{
            operation: 'POST /webinars/{webinarId}/sessions/{sessionId}/cancel',
            params: { webinarId, sessionId },
          }}
        />
        <Button variant="default" onClick={onClose} data-autofocus autoFocus>
          Keep session
        </Button>
        <Button color="red" loading={isPending} onClick={() => mutate({ webinarId, sessionId })}>
          Cancel session
        </Button>
      </Group>
    </Stack>
  );
}

function consequences({ registrationCount: count, status }: Session): string[] {
  const registered =
    count === 0
      ? ['No one is registered.']
      : [
          `${peopleText(count)} ${count === 1 ? 'is' : 'are'} registered. The ${count === 1 ? 'registration stays' : 'registrations stay'} in the list, and no message is sent.`,
          'Rules before and after the session send nothing for it, and no one becomes a no-show.',
        ];
  const live = status === 'live' ? ['Attendees in the room count as left a few seconds later.'] : [];
  return [...registered, ...live, 'Registration for this time closes. The schedule does not offer it again.'];
}
