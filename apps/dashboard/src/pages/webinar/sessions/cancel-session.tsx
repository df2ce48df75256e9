import '../../../components/choices.css';
import { List } from '@mantine/core';
import { Question } from '../../../components/dialog-form.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { useTRPCClient, type Session, type Webinar } from '../../../trpc.ts';
import { peopleText } from '../people-text.ts';
import { useSessionsChanged } from './use-sessions.ts';

interface CancelSessionProps {
  webinar: Webinar;
  session: Session;
  onClose: () => void;
}

export function CancelSession({ webinar, session, onClose }: CancelSessionProps) {
  const { sessions } = useTRPCClient();
  const changed = useSessionsChanged();
  const params = { webinarId: session.webinarId, sessionId: session.id };
  return (
    <Question
      text={
        <>
          The session of <SessionTime at={session.startsAt} timeZone={webinar.timezone} /> does not take
          place. This cannot be undone.
        </>
      }
      confirm="Cancel session"
      cancel="Keep session"
      apiCall={{ operation: 'POST /webinars/{webinarId}/sessions/{sessionId}/cancel', params }}
      act={() => sessions.cancel.mutate(params)}
      message="The session was cancelled."
      onDone={async () => {
        await changed();
        onClose();
      }}
      onClose={onClose}
    >
      <List size="sm" spacing={4}>
        {consequences(session).map((text) => (
          <List.Item key={text}>{text}</List.Item>
        ))}
      </List>
    </Question>
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
