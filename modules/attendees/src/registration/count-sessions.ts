import { column, statement, type AccountReader } from '@service/database';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import type { Registration } from '../entities/registration.ts';
import type { SessionCountsInput, SessionCountsOutput } from './schemas.ts';

const countByStatus = statement({
  name: 'attendees.count_session_registrations',
  text: `
    select session_id, status, count(*)::int as registrations from attendees.registration
    where account_id = $1 and webinar_id = $2 and session_id = any($3::uuid[])
    group by session_id, status`,
  row: {
    session_id: column.id,
    status: column.textOf<Registration['status']>(),
    registrations: column.integer,
  },
});

const countPresent = statement({
  name: 'attendees.count_present',
  text: `
    select session_id, count(*)::int as present from attendees.attendance
    where account_id = $1 and session_id = any($2::uuid[]) and check_at is not null
    group by session_id`,
  row: { session_id: column.id, present: column.integer },
});

/**
 * Counts the registrations of sessions by status, and the attendees who are in the room now, in two statements for all sessions.
 * A session of another webinar has no registrations. Throws webinar_not_found.
 */
export async function countSessions(
  reader: AccountReader,
  { webinarId, sessionIds }: z.output<typeof SessionCountsInput>,
): Promise<z.input<typeof SessionCountsOutput>[]> {
  const { query, accountId } = reader;
  await findWebinar(reader, webinarId);
  const [statuses, presences] = await Promise.all([
    query(countByStatus, [accountId, webinarId, sessionIds]),
    query(countPresent, [accountId, sessionIds]),
  ]);
  const present = new Map(presences.map((row) => [row.session_id, row.present]));
  const bySession = Map.groupBy(statuses, (row) => row.session_id);
  return sessionIds.map((sessionId) => {
    const rows = bySession.get(sessionId) ?? [];
    const count = (status: Registration['status']): number =>
      rows.find((row) => row.status === status)?.registrations ?? 0;
    return {
      sessionId,
      registered: count('registered'),
      attending: count('attending'),
      attended: count('attended'),
      noShow: count('no_show'),
      cancelled: count('cancelled'),
      inRoom: rows.length === 0 ? 0 : (present.get(sessionId) ?? 0),
    };
  });
}
