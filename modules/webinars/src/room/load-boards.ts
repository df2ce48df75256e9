import { idAt, idTime, type Query } from '@service/database';
import type { Poll } from '../interaction/interaction.ts';
import type { SessionStatus } from '../session/session.ts';
import { messagesKept, type Message, type Seen } from './board.ts';
import { selectMessages, selectNow, selectOwnMessages, selectPolls, selectProgress } from './feed.sql.ts';
import type { PollItem, ProgressItem } from './feed-item.ts';
import type { RoomIdentity } from './room.ts';

export interface Look {
  accountId: string;
  sessionId: string;
  webinarId: string;
  /** Messages before this id are not read. */
  firstId: string;
}

interface MessageRow {
  id: string;
  registration_id: string;
  name: string;
  text: string;
  sent_at: string;
}

interface PollRow {
  place: number;
  id: string;
  options: Poll['options'];
  counts: Record<string, number>;
}

interface ProgressRow {
  place: number;
  status: SessionStatus;
  position_seconds: number;
  current_segment_id: string | null;
}

interface Boards {
  /** In the order of the input. */
  seen: Seen[];
  /** Time of the database. */
  now: Date;
}

/** Reads messages, polls and progress of many sessions in four statements. */
export async function loadBoards(query: Query, looks: readonly Look[]): Promise<Boards> {
  const accountIds = looks.map((look) => look.accountId);
  const sessionIds = looks.map((look) => look.sessionId);
  const firstIds = looks.map((look) => look.firstId);
  const [messages, polls, progress, [time]] = await Promise.all([
    query<MessageRow & { place: number }>(selectMessages, [
      accountIds,
      sessionIds,
      firstIds,
      messagesKept,
      firstIds.reduce((lowest, firstId) => (firstId < lowest ? firstId : lowest)),
    ]),
    query<PollRow>(selectPolls, [accountIds, sessionIds, looks.map((look) => look.webinarId)]),
    query<ProgressRow>(selectProgress, [accountIds, sessionIds]),
    query<{ now: Date }>(selectNow, []),
  ]);
  const messagesOf = Map.groupBy(messages, (row) => row.place);
  const pollsOf = Map.groupBy(polls, (row) => row.place);
  const progressOf = new Map(progress.map((row) => [row.place, row]));
  const seen = looks.map((_look, index) => {
    const row = progressOf.get(index + 1);
    return {
      messages: (messagesOf.get(index + 1) ?? []).map(toMessage),
      polls: (pollsOf.get(index + 1) ?? []).map(toPoll),
      progress: row ? toProgress(row) : null,
    };
  });
  return { seen, now: time!.now };
}

/** The newest messages of one attendee. */
export async function loadOwnMessages(query: Query, identity: RoomIdentity): Promise<Message[]> {
  const { accountId, registrationId } = identity;
  const firstId = beginningOf(registrationId);
  const rows = await query<MessageRow>(selectOwnMessages, [accountId, registrationId, firstId, messagesKept]);
  return rows.map(toMessage).toReversed();
}

/** Clocks of different machines differ by less than this. */
const clockSkewMs = 60_000;

/** The lowest event id of a session or registration. Partitions before its creation are not read. */
export const beginningOf = (id: string): string => idAt(new Date(idTime(id).getTime() - clockSkewMs));

const toMessage = (row: MessageRow): Message => ({
  id: row.id,
  registrationId: row.registration_id,
  name: row.name,
  text: row.text,
  sentAt: row.sent_at,
});

const toPoll = ({ id, options, counts }: PollRow): PollItem => ({
  type: 'poll',
  interactionId: id,
  results: options.map((option) => ({
    optionId: option.id,
    label: option.label,
    count: counts[option.id] ?? 0,
  })),
});

const toProgress = (row: ProgressRow): ProgressItem => ({
  type: 'progress',
  status: row.status,
  positionSeconds: row.position_seconds,
  segmentId: row.current_segment_id,
});
