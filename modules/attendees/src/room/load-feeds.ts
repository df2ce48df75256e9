import { column, lowestIdSince, nullable, type Query, type RowsOf, statement } from '@service/database';
import {
  type Interaction,
  loadLivePolls,
  loadSessions,
  pollOf,
  type Session,
  statusAt,
} from '@service/webinars';
import type { QuotedMessage } from '../entities/session-message.ts';
import { type FeedContent, type Message, messagesKept } from './feed-snapshot.ts';
import type { RoomIdentity } from './room.ts';
import type { PollItem, ProgressItem, SessionItem } from './schemas.ts';

interface FeedKey {
  accountId: string;
  sessionId: string;
  webinarId: string;
  /** Messages before this id are not read. */
  firstId: string;
}

interface LoadedFeeds {
  /** The content at a place of the input. */
  contentOf(index: number): FeedContent;
  /** The time at which the clock starts or ends the session. Undefined if it does neither. */
  turnsAt(index: number): Date | undefined;
  /** Time of the database. */
  now: Date;
}

/** Reads messages, polls, the session and its progress, of many sessions, in six statements. */
export async function loadFeeds(
  query: Query,
  keys: readonly FeedKey[],
  givenNow?: () => Date,
): Promise<LoadedFeeds> {
  const accountIds = keys.map((key) => key.accountId);
  const sessionIds = keys.map((key) => key.sessionId);
  const firstIds = keys.map((key) => key.firstId);
  const webinars = new Map(keys.map(({ accountId, webinarId }) => [webinarId, { accountId, webinarId }]));
  const [said, answered, hidden, polls, counts, sessions, [time]] = await Promise.all([
    query(selectMessages, [accountIds, sessionIds, firstIds, messagesKept, lowestOf(firstIds)]),
    query(selectPresenterMessages, [accountIds, sessionIds, firstIds, messagesKept]),
    query(selectHidden, [accountIds, sessionIds, messagesKept]),
    loadLivePolls(query, [...webinars.values()]),
    query(selectCounts, [accountIds, sessionIds]),
    loadSessions(
      query,
      keys.map(({ accountId, sessionId }) => ({ accountId, id: sessionId })),
    ),
    query(selectNow, []),
  ]);
  const now = givenNow?.() ?? time!.now;
  const messagesOf = Map.groupBy(said, (row) => row.place);
  const answersOf = Map.groupBy(answered, (row) => row.place);
  const hiddenOf = Map.groupBy(hidden, (row) => row.place);
  const countsOf = new Map(counts.map((row) => [row.session_id, row.counts]));
  return {
    now: time!.now,
    contentOf(index) {
      const { sessionId, webinarId } = keys[index]!;
      const session = sessions.get(sessionId);
      return {
        messages: inOrder(
          (messagesOf.get(index + 1) ?? []).map(toMessage),
          (answersOf.get(index + 1) ?? []).map(toPresenterMessage),
        ),
        hiddenIds: (hiddenOf.get(index + 1) ?? []).map(({ messageId }) => messageId),
        polls: (polls.get(webinarId) ?? []).flatMap((poll) =>
          toPoll(poll, countsOf.get(sessionId)?.[poll.id]),
        ),
        progress: session?.control === 'api' ? toProgress(session) : null,
        session: session ? toSessionItem(session, now) : null,
      };
    },
    turnsAt(index) {
      const session = sessions.get(keys[index]!.sessionId);
      if (session?.control !== 'clock') return undefined;
      const status = statusAt(session, now);
      if (status === 'scheduled') return session.startsAt;
      return status === 'live' ? session.endsAt : undefined;
    },
  };
}

const toMessage = ({ place: _place, ...row }: RowsOf<typeof selectMessages>): Message => ({
  ...row,
  role: 'attendee',
});

const toPresenterMessage = ({
  place: _place,
  sentAt,
  ...row
}: RowsOf<typeof selectPresenterMessages>): Message => ({
  ...row,
  sentAt: sentAt.toISOString(),
  registrationId: null,
  role: 'presenter',
});

const inOrder = (some: readonly Message[], others: readonly Message[]): readonly Message[] =>
  others.length === 0 ? some : [...some, ...others].toSorted((a, b) => (a.id < b.id ? -1 : 1));

const toSessionItem = (session: Session, now: Date): SessionItem => ({
  type: 'session',
  status: statusAt(session, now),
  startsAt: session.startsAt.toISOString(),
  endsAt: session.endsAt.toISOString(),
});

/** The newest messages of attendees, in the order of the input. */
export async function loadOwnMessages(
  query: Query,
  attendees: readonly Pick<RoomIdentity, 'accountId' | 'registrationId'>[],
): Promise<Message[][]> {
  const firstIds = attendees.map(({ registrationId }) => lowestIdSince(registrationId));
  const rows = await query(selectOwnMessages, [
    attendees.map(({ accountId }) => accountId),
    attendees.map(({ registrationId }) => registrationId),
    firstIds,
    messagesKept,
    lowestOf(firstIds),
  ]);
  const byPlace = Map.groupBy(rows, (row) => row.place);
  return attendees.map((_, index) => (byPlace.get(index + 1) ?? []).map(toMessage));
}

const lowestOf = (ids: readonly string[]): string => ids.reduce((lowest, id) => (id < lowest ? id : lowest));

/** Empty before the first answer. */
const toPoll = (poll: Interaction, counts: Record<string, number> | undefined): PollItem[] =>
  counts === undefined
    ? []
    : [
        {
          type: 'poll',
          interactionId: poll.id,
          results: pollOf(poll)!.options.map((option) => ({
            optionId: option.id,
            label: option.label,
            count: counts[option.id] ?? 0,
          })),
        },
      ];

const toProgress = ({ status, positionSeconds, currentSegmentId }: Session): ProgressItem => ({
  type: 'progress',
  status,
  positionSeconds,
  segmentId: currentSegmentId ?? null,
});

// Statements of the feed, for many sessions at once: $1 account ids, $2 session ids. `place` is the position in these lists, from
// 1.

const messageRow = {
  place: column.integer,
  id: column.id,
  registrationId: column.id,
  name: column.text,
  text: column.text,
  sentAt: column.text,
  replyTo: nullable(column.json<QuotedMessage>()),
};

/**
 * $3 the first id per session, $4 the limit per session, newest first, $5 the lowest id of $3. With $5 the planner skips the
 * partitions before it. With ninety partitions, planning would take longer than everything else here.
 */
const selectMessages = statement({
  name: 'attendees.select_feed_messages',
  text: `
    select k.place::int, e.id, e.registration_id as "registrationId", r.name, e.data ->> 'message' as text, e.data ->> 'sent_at' as "sentAt",
      e.data -> 'reply_to' as "replyTo"
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as k (account_id, session_id, first_id, place)
    cross join lateral (
      select id, registration_id, data from attendees.attendee_event
      where account_id = k.account_id and session_id = k.session_id and type = 'chat_response'
        and id >= k.first_id and id >= $5
      order by id desc
      limit $4
    ) e
    cross join lateral (
      select name from attendees.registration where account_id = k.account_id and id = e.registration_id limit 1
    ) r
    order by e.id`,
  row: messageRow,
});

/** $2 registration ids, $3 the first id per registration, $4 the limit per registration, newest first, $5 the lowest id of $3. */
const selectOwnMessages = statement({
  name: 'attendees.select_own_messages',
  text: `
    select k.place::int, e.id, r.id as "registrationId", r.name, e.data ->> 'message' as text, e.data ->> 'sent_at' as "sentAt",
      e.data -> 'reply_to' as "replyTo"
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as k (account_id, registration_id, first_id, place)
    join attendees.registration r on r.account_id = k.account_id and r.id = k.registration_id
    cross join lateral (
      select id, data from attendees.attendee_event
      where account_id = k.account_id and registration_id = k.registration_id and type = 'chat_response'
        and id >= k.first_id and id >= $5
      order by id desc
      limit $4
    ) e
    where not exists (
      select from attendees.hidden_message h
      where h.account_id = r.account_id and h.session_id = r.session_id and h.message_id = e.id
    )
    order by e.id`,
  row: messageRow,
});

/** Messages of the host. $3 the first id per session, $4 the limit per session, newest first. */
const selectPresenterMessages = statement({
  name: 'attendees.select_presenter_messages',
  text: `
    select k.place::int, p.id, p.name, p.text, p.sent_at as "sentAt", p.reply_to as "replyTo"
    from unnest($1::uuid[], $2::uuid[], $3::uuid[]) with ordinality as k (account_id, session_id, first_id, place)
    cross join lateral (
      select id, name, text, sent_at, reply_to from attendees.presenter_message
      where account_id = k.account_id and session_id = k.session_id and id >= k.first_id
      order by id desc
      limit $4
    ) p
    order by p.id`,
  row: {
    place: column.integer,
    id: column.id,
    name: column.text,
    text: column.text,
    sentAt: column.time,
    replyTo: nullable(column.json<QuotedMessage>()),
  },
});

/** The newest hidden messages of each session. $3 the limit per session. */
const selectHidden = statement({
  name: 'attendees.select_hidden_messages',
  text: `
    select k.place::int, h.message_id as "messageId"
    from unnest($1::uuid[], $2::uuid[]) with ordinality as k (account_id, session_id, place)
    cross join lateral (
      select message_id from attendees.hidden_message
      where account_id = k.account_id and session_id = k.session_id
      order by message_id desc
      limit $3
    ) h
    order by h.message_id`,
  row: { place: column.integer, messageId: column.id },
});

/** Number of votes for each option of each poll. */
const selectCounts = statement({
  name: 'attendees.select_feed_counts',
  text: `
    select k.session_id, jsonb_object_agg(p.interaction_id, p.counts) as counts
    from unnest($1::uuid[], $2::uuid[]) as k (account_id, session_id)
    cross join lateral (
      select c.interaction_id, jsonb_object_agg(c.option_id, c.count) as counts from attendees.poll_count c
      where c.account_id = k.account_id and c.session_id = k.session_id
      group by c.interaction_id
    ) p
    group by k.session_id`,
  row: {
    session_id: column.id,
    // Votes by the id of the poll and of the option.
    counts: column.json<Record<string, Record<string, number>>>(),
  },
});

const selectNow = statement({
  name: 'attendees.select_feed_now',
  text: 'select clock_timestamp() as now',
  row: { now: column.time },
});
