import { Group } from '@mantine/core';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type Registration } from '../../../trpc.ts';
import { EventList } from './event-list.tsx';

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
      <EventList events={items} />
      <LoadMore {...events} />
    </>
  );
}
