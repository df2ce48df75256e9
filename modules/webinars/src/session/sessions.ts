import type { AccountReader } from '@service/database';
import { Session } from './session.ts';

/** The next session of each webinar that has not started yet. */
export async function nextSessions(
  reader: AccountReader,
  webinarIds: string[],
): Promise<Map<string, Session>> {
  const sessions = await reader.em.find(
    Session,
    {
      accountId: reader.accountId,
      webinarId: { $in: webinarIds },
      status: 'scheduled',
      startsAt: { $gt: reader.now },
    },
    { orderBy: { startsAt: 'desc' } },
  );
  return new Map(sessions.map((session) => [session.webinarId, session]));
}

/** The session that starts at exactly that moment and can still be booked. */
export function findBookableSession(
  reader: AccountReader,
  webinarId: string,
  startsAt: Date,
): Promise<Session | null> {
  if (startsAt <= reader.now) return Promise.resolve(null);
  return reader.em.findOne(Session, {
    accountId: reader.accountId,
    webinarId,
    startsAt,
    status: 'scheduled',
  });
}

/** The three bookable times nearest to a moment, nearest first, ISO 8601. */
export async function nearestSessionTimes(
  reader: AccountReader,
  webinarId: string,
  moment: Date,
): Promise<string[]> {
  const rows = await reader.em.execute<{ starts_at: Date }[]>(
    `select starts_at from webinars.session
     where account_id = ? and webinar_id = ? and status = 'scheduled' and starts_at > ?
     order by abs(extract(epoch from starts_at - ?::timestamptz)) limit 3`,
    [reader.accountId, webinarId, reader.now, moment],
  );
  return rows.map((row) => new Date(row.starts_at).toISOString());
}
