import { LockMode } from '@mikro-orm/postgresql';
import { rowToEntity, type AccountReader, type AccountWriter } from '@service/database';
import { webinarErrors } from '../errors.ts';
import { Webinar } from './webinar.ts';

/** Statuses callers know of. */
export const shownStatuses = ['draft', 'published'] as const;

const selectWebinar = {
  name: 'webinars.select_webinar',
  text: 'select * from webinars.webinar where account_id = $1 and id = $2 and status = any($3)',
};

/**
 * The account's webinar, to look at: every route below a webinar begins with it. Not there, somebody else's, archived and
 * deleted are one answer: webinar_not_found.
 */
export async function findWebinar(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  webinarId: string,
): Promise<Readonly<Webinar>> {
  const [row] = await query(selectWebinar, [accountId, webinarId, shownStatuses]);
  if (!row) throw webinarErrors.webinar_not_found();
  return rowToEntity<Webinar>(row);
}

// Bookings share a webinar with each other and with nobody who changes it. An advisory lock, since a thousand bookings that
// share a row's lock write that row a thousand times, and keep a list of who shares it on disk.
const shareWebinar = {
  name: 'webinars.share_webinar',
  text: `select pg_advisory_xact_lock_shared(hashtextextended($1::text, 7216340554))`,
};

const takeWebinar = {
  name: 'webinars.take_webinar',
  text: `select pg_advisory_xact_lock(hashtextextended($1::text, 7216340554))`,
};

/**
 * A webinar that takes registrations; until the end of the transaction nobody changes it or its sessions. Throws
 * webinar_not_found, webinar_not_published.
 */
export async function shareOpenWebinar(tx: AccountWriter, webinarId: string): Promise<Readonly<Webinar>> {
  // Sent one right after the other; the second sees what was committed while the first one waited.
  const [, webinar] = await Promise.all([tx.query(shareWebinar, [webinarId]), findWebinar(tx, webinarId)]);
  if (webinar.status !== 'published') throw webinarErrors.webinar_not_published();
  return webinar;
}

/** A webinar to be changed, once every booking on its way has ended, and held against every other change and booking. */
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
