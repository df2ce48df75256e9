import { lowestIdSince, type Query } from '@service/database';
import { loadLivePolls, loadSessions, pollOf, type Interaction, type Session } from '@service/webinars';
import { messagesKept, type Message, type FeedContent } from './feed-snapshot.ts';
import type { PollItem, ProgressItem } from './feed-item.ts';
import { selectCounts, selectMessages, selectNow, selectOwnMessages, type MessageRow } from './feed.sql.ts';
import type { RoomIdentity } from './room.ts';

export interface FeedKey {
  accountId: string;
  sessionId: string;
  webinarId: string;
  /** Messages before this id are not read. */
  firstId: string;
}

interface LoadedFeeds {
  /** The content at a place of the input. */
  contentOf(index: number): FeedContent;
  /** Time of the database. */
  now: Date;
}

/** Reads messages, polls and progress of many sessions in four statements. */
export async function loadFeeds(query: Query, keys: readonly FeedKey[]): Promise<LoadedFeeds> {
  const accountIds = keys.map((key) => key.accountId);
  const sessionIds = keys.map((key) => key.sessionId);
  const firstIds = keys.map((key) => key.firstId);
  const webinars = new Map(keys.map(({ accountId, webinarId }) => [webinarId, { accountId, webinarId }]));
  const [messages, polls, counts, sessions, [time]] = await Promise.all([
    query(selectMessages, [accountIds, sessionIds, firstIds, messagesKept, lowestOf(firstIds)]),
    loadLivePolls(query, [...webinars.values()]),
    query(selectCounts, [accountIds, sessionIds]),
    loadSessions(
      query,
      keys.map(({ accountId, sessionId }) => ({ accountId, id: sessionId })),
    ),
    query(selectNow, []),
  ]);
  const messagesOf = Map.groupBy(messages, (row) => row.place);
  const countsOf = new Map(counts.map((row) => [row.session_id, row.counts]));
  return {
    now: time!.now,
    contentOf(index) {
      const { sessionId, webinarId } = keys[index]!;
      const session = sessions.get(sessionId);
      return {
        messages: (messagesOf.get(index + 1) ?? []).map(toMessage),
        polls: (polls.get(webinarId) ?? []).flatMap((poll) =>
          toPoll(poll, countsOf.get(sessionId)?.[poll.id]),
        ),
        progress: session?.control === 'api' ? toProgress(session) : null,
      };
    },
  };
}

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

const toMessage = (row: MessageRow): Message => ({
  id: row.id,
  registrationId: row.registration_id,
  name: row.name,
  text: row.text,
  sentAt: row.sent_at,
});

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
