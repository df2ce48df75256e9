import { column, lowestId, statement, type Database, type Transaction } from '@service/database';
import type { Webinar } from '../entities/webinar.ts';
import { comingSessions } from './coming-sessions.ts';
import { draftToRow, insertSessions } from './insert-sessions.ts';

const batchSize = 100;

// Skips a webinar that another transaction is changing, because that transaction makes its sessions.
const selectBatch = statement({
  name: 'webinars.select_planned_webinars',
  text: `
    select account_id as "accountId", id, timezone, duration_seconds as "durationSeconds", schedule from webinars.webinar
    where status = 'published' and (account_id, id) > ($1::uuid, $2::uuid)
    order by account_id, id limit ${batchSize} for share skip locked`,
  allAccounts: 'Sessions are kept ahead for all published webinars, in the order of accounts.',
  row: {
    accountId: column.id,
    id: column.id,
    timezone: column.text,
    durationSeconds: column.integer,
    schedule: column.json<Webinar['schedule']>(),
  },
});

type Place = Pick<Webinar, 'accountId' | 'id'>;

/**
 * Makes the missing sessions of all published webinars, in all accounts; see comingSessions. Each batch of 100 webinars is one
 * transaction. Returns the number of sessions made.
 */
export async function keepSessionsAhead(database: Database, now: Date): Promise<number> {
  let made = 0;
  for (let after: Place | undefined = { accountId: lowestId, id: lowestId }; after;) {
    const place: Place = after;
    const batch = await database.transaction((tx) => fillBatch(tx, place, now));
    made += batch.made;
    after = batch.last;
  }
  return made;
}

async function fillBatch(
  { query }: Pick<Transaction, 'query'>,
  after: Place,
  now: Date,
): Promise<{ made: number; last: Place | undefined }> {
  const webinars = await query(selectBatch, [after.accountId, after.id]);
  const rows = webinars.flatMap((webinar) =>
    comingSessions(webinar, now).map((draft) => draftToRow(webinar, draft)),
  );
  const made = await insertSessions({ query, now }, rows);
  return { made, last: webinars.length === batchSize ? webinars.at(-1) : undefined };
}
