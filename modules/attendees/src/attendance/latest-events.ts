import { clockSkewMs, column, idAt, statement, type AccountReader } from '@service/database';
import type { Registration } from '../entities/registration.ts';
import type { AttendeeEventType } from '../event/attendee-event-types.ts';

/** Events that are read at most. An attendee may have sent a thousand chat messages. */
const eventsMax = 200;

// Without a name, because a prepared plan from the time when the month's partition was empty would read all of it. $4 is the lowest
// id, which leaves out the partitions of the months before the registration.
const selectLatest = statement({
  text: `
    select occurred_at, data from attendees.attendee_event
    where account_id = $1 and registration_id = $2 and type = $3 and id >= $4
    order by id desc limit ${eventsMax}`,
  row: { occurred_at: column.time, data: column.json<Record<string, unknown>>() },
});

interface PastEvent {
  occurredAt: Date;
  data: Record<string, unknown>;
}

/** The last events of one type of a registration, newest first. */
export async function latestEvents(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  { id, registeredAt }: Pick<Registration, 'id' | 'registeredAt'>,
  type: AttendeeEventType,
): Promise<PastEvent[]> {
  const lowestId = idAt(new Date(registeredAt.getTime() - clockSkewMs));
  const rows = await query(selectLatest, [accountId, id, type, lowestId]);
  return rows.map(({ occurred_at: occurredAt, data }) => ({ occurredAt, data }));
}
