import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { CopyableId } from '../../../components/copy.tsx';
import { Facts, type Fact } from '../../../components/facts.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { GuardedButton } from '../../../components/guarded-button.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { SessionTime } from '../../../components/session-time.tsx';
import { Status } from '../../../components/status.tsx';
import { formatCount } from '../../../format.ts';
import { useTRPC, type Session, type SessionCounts, type Webinar } from '../../../trpc.ts';
import { WorkspaceLink } from '../../../workspace.ts';
import { Skeletons } from '../skeletons.tsx';
import { useSessionsSearch } from '../use-tab-search.ts';
import { useWebinar } from '../use-webinar.ts';
import { SessionChat } from './session-chat.tsx';
import { SessionControls } from './session-controls.tsx';
import type { SessionActions } from './session-row.tsx';
import {
  canCancel,
  hasPeopleLeft,
  kindText,
  moveRefusal,
  placesText,
  sessionParts,
  sessionStyles,
} from './session-texts.ts';
import { useSession } from './use-sessions.ts';

interface SessionDetailsProps extends Pick<SessionActions, 'onMove' | 'onCancel'> {
  sessionId: string;
}

/** The facts of a session, and what can be done with it. */
export function SessionDetails({ sessionId, onMove, onCancel }: SessionDetailsProps) {
  const { webinarId } = useSessionsSearch();
  const webinar = useWebinar().data?.data;
  const { session: query, counts } = useSession(webinarId, sessionId);
  const session = query.data?.data;
  if (query.error && !session)
    return <FailureNotice error={query.error} onRetry={() => void query.refetch()} />;
  if (!session || !webinar) return <Skeletons parts={sessionParts} />;
  const isArchived = webinar.status === 'archived';
  return (
    <Stack gap="lg">
      <Group gap="xs">
        <Status {...sessionStyles[session.status]} />
        <strong>
          <SessionTime at={session.startsAt} timeZone={webinar.timezone} />
        </strong>
      </Group>
      <Group gap="xs">
        <Button
          variant="default"
          c="var(--mantine-color-text)"
          renderRoot={(props) => (
            <WorkspaceLink
              {...props}
              to="/w/$workspaceId/webinars/$webinarId/registrations"
              params={{ webinarId }}
              search={{ session: session.id }}
            />
          )}
        >
          Show registrations
        </Button>
        {session.status === 'live' || session.status === 'ended' ? (
          <Button
            variant="default"
            c="var(--mantine-color-text)"
            renderRoot={(props) => (
              <WorkspaceLink
                {...props}
                to="/w/$workspaceId/webinars/$webinarId/results"
                params={{ webinarId }}
                search={{ session: session.id }}
              />
            )}
          >
            Show results
          </Button>
        ) : null}
        {isArchived ? null : (
          <>
            <TestAttendeeButton session={session} isPublished={webinar.status === 'published'} />
            <GuardedButton variant="default" reason={moveRefusal(session)} onClick={() => onMove(session)}>
              Move…
            </GuardedButton>
          </>
        )}
        {hasPeopleLeft(session) && !isArchived ? (
          <GuardedButton
            variant="default"
            reason={webinar.status === 'published' ? undefined : 'Publish the webinar first.'}
            onClick={() => onCancel(session)}
          >
            Move people…
          </GuardedButton>
        ) : null}
        {canCancel(session) && !isArchived ? (
          <Button variant="default" c="var(--tone-bad)" onClick={() => onCancel(session)}>
            Cancel session…
          </Button>
        ) : null}
      </Group>
      {session.control === 'api' && !isArchived ? (
        <SessionControls session={session} webinar={webinar} />
      ) : null}
      <Facts facts={factsOf(session, webinar, counts)} />
      <SessionChat session={session} webinar={webinar} />
    </Stack>
  );
}

/** Opens the page of the session as an attendee sees it. */
function TestAttendeeButton({ session, isPublished }: { session: Session; isPublished: boolean }) {
  const trpc = useTRPC();
  const create = useMutation(
    trpc.registrations.createTest.mutationOptions({
      onSuccess: ({ data }) => void window.open(data.joinUrl, '_blank', 'noopener'),
    }),
  );
  const { webinarId, id: sessionId } = session;
  return (
    <>
      <GuardedButton
        variant="default"
        reason={isPublished ? undefined : 'Publish the webinar first.'}
        loading={create.isPending}
        onClick={() => create.mutate({ webinarId, sessionId })}
      >
        Open as a test attendee
      </GuardedButton>
      {create.error ? <FailureNotice error={create.error} /> : null}
    </>
  );
}

function factsOf(session: Session, webinar: Webinar, counts: SessionCounts | undefined): Fact[] {
  const { actualStartedAt, actualEndedAt } = session;
  const count = (read: (counts: SessionCounts) => number): string =>
    counts ? formatCount(read(counts)) : '…';
  return [
    ['Kind', kindText(session)],
    ['Planned end', <SessionTime key="end" at={session.endsAt} timeZone={webinar.timezone} />],
    ['Started', actualStartedAt && <RelativeTime key="started" at={actualStartedAt} />],
    ['Ended', actualEndedAt && <RelativeTime key="ended" at={actualEndedAt} />],
    ['Registered', placesText(session, webinar)],
    ...(session.status === 'scheduled'
      ? []
      : ([
          ['In the room now', count(({ inRoom }) => inRoom)],
          ['Attended', count(({ attending, attended }) => attending + attended)],
          ['No-shows', count(({ noShow }) => noShow)],
        ] as const)),
    ['Cancelled registrations', count(({ cancelled }) => cancelled)],
    ['Recurrence key', session.recurrenceKey ? <code key="key">{session.recurrenceKey}</code> : 'None'],
    ['Session id', <CopyableId key="id" id={session.id} name="session id" />],
  ];
}
