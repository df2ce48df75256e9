import { Group, Text } from '@mantine/core';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { LoadMore } from '../../../components/load-more.tsx';
import { RelativeTime } from '../../../components/relative-time.tsx';
import { ShowApiCall } from '../../../components/show-api-call.tsx';
import { formatMoney } from '../../../money.ts';
import { usePaged } from '../../../paged.ts';
import { useTRPC, useTRPCClient, type Registration, type TimelineEvent } from '../../../trpc.ts';
import { WorkspaceLink } from '../../../workspace.ts';
import { useWebinar } from '../use-webinar.ts';
import { moveText } from './registration-texts.ts';
import styles from './registrations.module.css';

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
  const timeZone = useWebinar().data?.data.timezone;
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
      <EventList events={items} zoneOf={() => timeZone} />
      <LoadMore {...events} />
    </>
  );
}

interface EventListProps<Item extends TimelineEvent> {
  /** Undefined while they are loading. */
  events: readonly Item[] | undefined;
  /** A text below the title of an event, such as its webinar. */
  noteOf?: (event: Item) => string | undefined;
  /** The time zone of the webinar of an event. */
  zoneOf: (event: Item) => string | undefined;
}

/** Events of attendees, in the given order. */
export const EventList = <Item extends TimelineEvent>({ events, noteOf, zoneOf }: EventListProps<Item>) => (
  <ol className={styles['events']} aria-busy={!events}>
    {events?.map((event) => {
      const { title, detail } = eventText(event, zoneOf(event));
      const notes = [detail, noteOf?.(event)].filter(Boolean).join(' · ');
      return (
        <li key={event.id} className={styles['event']}>
          <span className={styles['what']}>
            <EventTitle title={title} revenueEventId={revenueEventOf(event)} />
            {notes ? (
              <Text span size="xs" c="dimmed" display="block">
                {notes}
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
);

/** Purchases and refunds lead to their credit. */
function EventTitle({ title, revenueEventId }: { title: string; revenueEventId: string | undefined }) {
  if (revenueEventId === undefined) return title;
  return (
    <WorkspaceLink to="/w/$workspaceId/revenue" search={{ tab: 'events', event: revenueEventId }}>
      {title}
    </WorkspaceLink>
  );
}

type Event = Pick<TimelineEvent, 'type' | 'data'>;

const titles: Record<string, string> = {
  registered: 'Registered',
  moved: 'Moved to another session',
  joined: 'Joined the session',
  left: 'Left the session',
  no_show: 'Did not come',
  watched_minutes: 'Watched some minutes',
  watched_percent: 'Watched a part',
  video_complete: 'Watched to the end',
  interaction_view: 'Saw an interaction',
  cta_click: 'Clicked',
  handout_download: 'Downloaded a handout',
  poll_response: 'Answered a poll',
  chat_response: 'Wrote in the chat',
  branch_taken: 'Took a branch',
  segment_completed: 'Completed a segment',
  purchase: 'Bought something',
  refund: 'Got a refund',
};

/** An event as a person reads it. An event type without a title is shown by its name. */
function eventText(
  { type, data }: Event,
  timeZone: string | undefined,
): { title: string; detail: string | undefined } {
  const detail = type === 'moved' ? moveText(data, timeZone) : detailOf({ type, data });
  return { title: titles[type] ?? type, detail };
}

function detailOf({ type, data }: Event): string | undefined {
  if (type === 'purchase' || type === 'refund') return amountText(data);
  if (type === 'watched_minutes' || type === 'watched_percent') return progressText(data);
  const interaction = data['interaction'];
  const headline =
    isRecord(interaction) && (textOf(interaction['internal_name']) ?? textOf(interaction['headline']));
  const said = textOf(data['message']) ?? textOf(data['selectedOption']);
  return [headline, said].filter(Boolean).join(': ') || undefined;
}

const amountText = ({ amountMinor, currency }: Event['data']): string | undefined =>
  typeof amountMinor === 'number' && typeof currency === 'string'
    ? formatMoney(amountMinor, currency)
    : undefined;

/** The event of the ledger that a purchase or refund comes from. */
const revenueEventOf = ({ type, data }: Event): string | undefined =>
  type === 'purchase' || type === 'refund' ? textOf(data['revenueEventId']) : undefined;

function progressText({ watchedSeconds, completionPercent }: Event['data']): string | undefined {
  if (typeof watchedSeconds !== 'number') return undefined;
  const minutes = `${Math.floor(watchedSeconds / 60)} min`;
  return typeof completionPercent === 'number' ? `${minutes}, ${completionPercent} % of the video` : minutes;
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
