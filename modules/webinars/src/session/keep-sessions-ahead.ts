import type { Database, Transaction } from '@service/database';
import type { Webinar } from '../entities/webinar.ts';
import { comingSessions } from './coming-sessions.ts';
import { draftToRow, insertSessions } from './insert-sessions.ts';

const batchSize = 100;

// Skips a webinar that another transaction is changing, because that transaction makes its sessions.
const selectBatch = `
  select account_id as "accountId", id, timezone, duration_seconds as "durationSeconds", schedule from webinars.webinar
  where status = 'published' and (account_id, id) > (?::uuid, ?::uuid)
  order by account_id, id limit ${batchSize} for share skip locked`;

type Place = Pick<Webinar, 'accountId' | 'id'>;
type PlannedWebinar = Place & Pick<Webinar, 'timezone' | 'durationSeconds' | 'schedule'>;

const nil = '00000000-0000-0000-0000-000000000000';

/**
 * Makes the missing sessions of all published webinars, in all accounts; see comingSessions. Each batch of 100 webinars is one
 * transaction. Returns the number of sessions made.
 */
export async function keepSessionsAhead(database: Database, now: Date): Promise<number> {
  let made = 0;
  for (let after: Place | undefined = { accountId: nil, id: nil }; after;) {
    const place: Place = after;
    const batch = await database.transaction((tx) => fillBatch(tx, place, now));
    made += batch.made;
    after = batch.last;
  }
  return made;
}

async function fillBatch(
  { em }: Transaction,
  after: Place,
  now: Date,
): Promise<{ made: number; last: Place | undefined }> {
  const webinars = await em.execute<PlannedWebinar[]>(selectBatch, [after.accountId, after.id]);
  const rows = webinars.flatMap((webinar) =>
    comingSessions(webinar, now).map((draft) => draftToRow(webinar, draft)),
  );
  const made = await insertSessions({ em, now }, rows);
  return { made, last: webinars.length === batchSize ? webinars.at(-1) : undefined };
}
