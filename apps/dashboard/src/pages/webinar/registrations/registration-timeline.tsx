import { Group, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type Registration } from '../../../trpc.ts';
import { useWorkspace } from '../../../workspace.ts';
import { eventText, revenueEventOf } from './event-text.ts';
import styles from './registration-timeline.module.css';

/** The events of one registration, newest first. */
export function RegistrationTimeline({ registration }: { registration: Registration }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const input = { webinarId: registration.webinarId, registrationId: registration.id };
  const events = usePaged({
    queryKey: trpc.registrations.events.queryKey(input),
    fetchPage: (page, signal) => client.registrations.events.query({ ...input, ...page }, { signal }),
  });
  const { items, error } = events;
  if (error && !items) return <FailureNotice error={error} onRetry={() => void events.refetch()} />;
  return (
    <>
      <Group justify="flex-end">
        <ShowApiCall
          call={{
            operation: 'GET /webinars/{webinarId}/registrations/{registrationId}/events',
            params: input,
          }}
          of="Timeline"
        />
      </Group>
      <ol className={styles['events']} aria-busy={!items}>
        {items?.map((event) => {
          const { title, detail } = eventText(event);
          return (
            <li key={event.id} className={styles['event']}>
              <span className={styles['what']}>
                <EventTitle title={title} revenueEventId={revenueEventOf(event)} />
                {detail ? (
                  <Text span size="xs" c="dimmed" display="block">
                    {detail}
                  </Text>
                ) : null}
              </span>
              <Text span size="xs" c="dimmed">
                <RelativeTime at={event.occurredAt} />
              </Text>
            </li>
          );
        })}
      </ol>
      <LoadMore {...events} />
    </>
  );
}

/** Purchases and refunds lead to their credit. */
function EventTitle({ title, revenueEventId }: { title: string; revenueEventId: string | undefined }) {
  const { workspace } = useWorkspace();
  if (revenueEventId === undefined) return title;
  return (
    <Link
      to="/w/$workspaceId/revenue"
      params={{ workspaceId: workspace.id }}
      search={{ tab: 'events', event: revenueEventId }}
    >
      {title}
    </Link>
  );
}
