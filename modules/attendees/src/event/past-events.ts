import {
  type AccountReader,
  clockSkewMs,
  column,
  idAt,
  lowestIdSince,
  type RowsOf,
  statement,
} from '@service/database';
import type { AttendeeEventType } from '../entities/attendee-event.ts';
import type { Registration } from '../entities/registration.ts';

interface Attendee {
  registrationId: string;
  sessionId: string;
}

/** Limits of what is read for one attendee: messages, newest first, and characters of all of them. */
const messagesMax = 50;
const messageCharactersMax = 50_000;

// An attendee has no messages from before the registration, so partitions before it are not read.
const selectMessages = statement({
  name: 'attendees.select_chat_messages',
  text: `
    select attendee.registration_id, json_agg(said.message order by said.id desc) as messages
    from json_to_recordset($2::json) as attendee (registration_id uuid, session_id uuid, first_id uuid)
    cross join lateral (
      select e.id, e.data ->> 'message' as message,
        sum(length(e.data ->> 'message')) over (order by e.id desc) as characters
      from attendees.attendee_event e
      where e.account_id = $1 and e.registration_id = attendee.registration_id and e.id >= attendee.first_id
        and e.session_id = attendee.session_id and e.type = 'chat_response'
      order by e.id desc limit ${messagesMax}
    ) said
    where said.characters <= $3
    group by attendee.registration_id`,
  row: { registration_id: column.id, messages: column.json<string[]>() },
});

interface ReadOptions {
  /** Per attendee. Older messages are left out. */
  charactersMax?: number;
}

/** The newest 50 chat messages of each attendee in their session, newest first, by registration id. */
export async function chatMessages(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  attendees: readonly Attendee[],
  { charactersMax = messageCharactersMax }: ReadOptions = {},
): Promise<Map<string, string[]>> {
  if (attendees.length === 0) return new Map();
  const wanted = attendees.map(({ registrationId, sessionId }) => ({
    registration_id: registrationId,
    session_id: sessionId,
    first_id: lowestIdSince(registrationId),
  }));
  const rows = await query(selectMessages, [accountId, JSON.stringify(wanted), charactersMax]);
  return new Map(rows.map((row) => [row.registration_id, row.messages]));
}

/** An event of an attendee to search for, in a time range that includes both ends. */
interface Happening {
  registrationId: string;
  type: AttendeeEventType;
  from: Date;
  to: Date;
}

// An event's id contains the time of writing, which is never before the event but can be long after it. The first id of a row
// prunes partitions for that row, $3 and $4 for the whole statement. The limit keeps it an index look-up. The statement has no
// name, because a prepared plan from the time when the month's partition was empty would read all of it.
const selectHappened = statement({
  text: `
    select w.index from jsonb_to_recordset($2::jsonb) as w
      (index int, registration_id uuid, type text, first_id uuid, "from" timestamptz, "to" timestamptz)
    cross join lateral (
      select from attendees.attendee_event e
      where e.account_id = $1 and e.registration_id = w.registration_id and e.id >= w.first_id
        and e.id >= $3 and e.id < $4
        and e.type = w.type and e.occurred_at between w."from" and w."to"
      limit 1
    ) e`,
  row: { index: column.integer },
});

/** Returns those of the rows whose event happened. */
export async function happenedBetween<Row extends Happening>(
  { query, accountId, now }: Pick<AccountReader, 'query' | 'accountId' | 'now'>,
  rows: readonly Row[],
): Promise<Set<Row>> {
  if (rows.length === 0) return new Set();
  const shift = (date: Date, byMs: number): string => idAt(new Date(date.getTime() + byMs));
  const wanted = rows.map(({ registrationId, type, from, to }, index) => ({
    index,
    registration_id: registrationId,
    type,
    first_id: shift(from, -clockSkewMs),
    from,
    to,
  }));
  const firstId = wanted.map((row) => row.first_id).toSorted()[0];
  const found = await query(selectHappened, [
    accountId,
    JSON.stringify(wanted),
    firstId,
    shift(now, clockSkewMs),
  ]);
  return new Set(found.map(({ index }) => rows[index]!));
}

/** Events that are read at most. An attendee may have sent a thousand chat messages. */
const eventsMax = 200;

// Without a name, because a prepared plan from the time when the month's partition was empty would read all of it. $4 is the lowest
// id, which leaves out the partitions of the months before the registration.
const selectLatest = statement({
  text: `
    select occurred_at as "occurredAt", data from attendees.attendee_event
    where account_id = $1 and registration_id = $2 and type = $3 and id >= $4
    order by id desc limit ${eventsMax}`,
  row: { occurredAt: column.time, data: column.json<Record<string, unknown>>() },
});

/** The last events of one type of a registration, newest first. */
export async function latestEvents(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { id, registeredAt }: Pick<Registration, 'id' | 'registeredAt'>,
  type: AttendeeEventType,
): Promise<RowsOf<typeof selectLatest>[]> {
  const lowestId = idAt(new Date(registeredAt.getTime() - clockSkewMs));
  return query(selectLatest, [accountId, id, type, lowestId]);
}
