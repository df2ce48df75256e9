import { createId, type Database } from '@service/database';
import type { JoinLinks } from '@service/attendees';
import { createBenchWorld } from './bench-world.ts';

export interface Audience {
  accountId: string;
  webinarId: string;
  sessionId: string;
  /** The webinar's session begins then; it lasts an hour. */
  startsAt: Date;
  /** Join tokens. */
  joins: string[];
}

/** A webinar with that many registrations for its session. No attendee has come yet. */
export async function createAudience(
  database: Database,
  joinLinks: Pick<JoinLinks, 'urlOf'>,
  size: number,
): Promise<Audience> {
  const { accountId, webinars } = await createBenchWorld(database, 1);
  const [webinar] = webinars;
  const sessions = await database.pool.query<{ id: string; startsAt: Date }>(
    `select id, starts_at as "startsAt" from webinars.session where account_id = $1 and webinar_id = $2`,
    [accountId, webinar!.id],
  );
  const { id: sessionId, startsAt } = sessions.rows[0]!;
  const ids = Array.from({ length: size }, () => createId());
  await database.pool.query(
    `insert into attendees.registration (account_id, id, webinar_id, session_id, name, email, source, registered_at)
     select $1, id, $2, $3, 'Ada Lovelace', 'ada' || n || '@example.com', 'api', now()
     from unnest($4::uuid[]) with ordinality as r (id, n)`,
    [accountId, webinar!.id, sessionId, ids],
  );
  await database.pool.query('analyze attendees.registration');
  const joins = ids.map((id) => joinLinks.urlOf({ accountId, id, tokenVersion: 1 }).split('/').at(-1)!);
  return { accountId, webinarId: webinar!.id, sessionId, startsAt, joins };
}
