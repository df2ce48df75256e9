import { clockSkewMs, column, idAt, statement, type AccountReader } from '@service/database';
import type { AttendeeEventType } from '../event/attendee-event-types.ts';

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
