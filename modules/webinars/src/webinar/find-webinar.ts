import { LockMode } from '@mikro-orm/postgresql';
import { rowToEntity, type AccountReader, type AccountWriter, type Query } from '@service/database';
import { Webinar } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';

/** Statuses of webinars that callers can see. */
export const shownStatuses = ['draft', 'published'] as const;

const selectWebinar = {
  name: 'webinars.select_webinar',
  text: 'select * from webinars.webinar where account_id = $1 and id = $2 and status = any($3)',
};

/**
 * The account's webinar. Every route below a webinar calls it first. Throws webinar_not_found, also for a webinar that is
 * archived, deleted or of another account.
 */
export async function findWebinar(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  webinarId: string,
): Promise<Readonly<Webinar>> {
  const [row] = await query(selectWebinar, [accountId, webinarId, shownStatuses]);
  if (!row) throw webinarErrors.webinar_not_found();
  return rowToEntity<Webinar>(row);
}

// Bookings share this lock; a change of the webinar waits for them, and they for it. It is an advisory lock because a thousand
// bookings that share a row's lock write that row a thousand times and keep a list of the sharers on disk.
const shareWebinar = {
  name: 'webinars.share_webinar',
  text: `select pg_advisory_xact_lock_shared(hashtextextended($1::text, 7216340554))`,
};

const takeWebinar = {
  name: 'webinars.take_webinar',
  text: `select pg_advisory_xact_lock(hashtextextended($1::text, 7216340554))`,
};

/**
 * A webinar that takes registrations. Other transactions cannot change it or its sessions until the end of this one. Throws
 * webinar_not_found, webinar_not_published.
 */
export async function shareOpenWebinar(tx: AccountWriter, webinarId: string): Promise<Readonly<Webinar>> {
  // Sent one right after the other; the second sees what was committed while the first one waited.
  const [, webinar] = await Promise.all([tx.query(shareWebinar, [webinarId]), findWebinar(tx, webinarId)]);
  if (webinar.status !== 'published') throw webinarErrors.webinar_not_published();
  return webinar;
}

/** Locks a webinar against other changes and new bookings, and waits for the bookings in progress. Throws webinar_not_found. */
export async function lockWebinar(tx: AccountWriter, webinarId: string): Promise<Webinar> {
  const { em, accountId, query } = tx;
  await query(takeWebinar, [webinarId]);
  const webinar = await em.findOne(
    Webinar,
    { accountId, id: webinarId, status: { $in: shownStatuses } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!webinar) throw webinarErrors.webinar_not_found();
  return webinar;
}

const selectByKeys = {
  name: 'webinars.select_webinars',
  text: `
    select w.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, id) join webinars.webinar w using (account_id, id)`,
};

/** Webinars in any status, by id, in one statement. `keys` may be of several accounts; each webinar is named once. */
export async function loadWebinars(
  query: Query,
  keys: readonly Pick<Webinar, 'accountId' | 'id'>[],
): Promise<Map<string, Webinar>> {
  if (keys.length === 0) return new Map();
  const rows = await query(selectByKeys, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
  return new Map(rows.map((row) => [row['id'] as string, rowToEntity<Webinar>(row)]));
}
