import { LockMode } from '@mikro-orm/postgresql';
import {
  column,
  nullable,
  statement,
  type AccountQueries,
  type AccountReader,
  type AccountWriter,
  type Query,
  type RowsOf,
} from '@service/database';
import type { InteractionType } from '../entities/enums.ts';
import { Webinar, webinarRow } from '../entities/webinar.ts';
import { webinarErrors } from '../errors.ts';

/** Statuses of webinars that callers can see. */
export const shownStatuses = ['draft', 'published'] as const;

/** Members can also see archived webinars, and restore or delete them. */
export const keptStatuses = [...shownStatuses, 'archived'] as const;

const selectWebinar = statement({
  name: 'webinars.select_webinar',
  text: 'select * from webinars.webinar where account_id = $1 and id = $2 and status = any($3)',
  row: webinarRow.columns,
});

/**
 * Finds a webinar of the account, for reading. Throws webinar_not_found for an unknown, foreign, archived or deleted webinar, so
 * callers cannot distinguish them. Reads of members find archived webinars too.
 */
export async function findWebinar(
  { query, accountId, isMember = false }: Pick<AccountReader, 'query' | 'accountId' | 'isMember'>,
  webinarId: string,
): Promise<Readonly<Webinar>> {
  const [row] = await query(selectWebinar, [accountId, webinarId, isMember ? keptStatuses : shownStatuses]);
  if (!row) throw webinarErrors.webinar_not_found();
  return webinarRow.toEntity(row);
}

const selectShown = statement({
  name: 'webinars.select_shown',
  text: 'select id from webinars.webinar where account_id = $1 and id = any($2::uuid[]) and status = any($3)',
  row: { id: column.id },
});

/** Those of the ids that `findWebinar` finds. */
export async function findShownIds(
  { query, accountId, isMember = false }: Pick<AccountReader, 'query' | 'accountId' | 'isMember'>,
  webinarIds: Iterable<string>,
): Promise<Set<string>> {
  const ids = [...new Set(webinarIds)];
  if (ids.length === 0) return new Set();
  const rows = await query(selectShown, [accountId, ids, isMember ? keptStatuses : shownStatuses]);
  return new Set(rows.map(({ id }) => id));
}

// Bookings share the lock of a webinar, and changes of the webinar exclude them. It is an advisory lock, because a shared row
// lock of a thousand bookings would write the row a thousand times and keep a list of the lockers on disk.
const shareWebinar = statement({
  name: 'webinars.share_webinar',
  text: `select pg_advisory_xact_lock_shared(hashtextextended($1::text, 7216340554))`,
});

const takeWebinar = statement({
  name: 'webinars.take_webinar',
  text: `select pg_advisory_xact_lock(hashtextextended($1::text, 7216340554))`,
});

/**
 * Finds a published webinar and locks it and its sessions against changes, not against other bookings, until the end of the
 * transaction. Throws webinar_not_found, webinar_not_published.
 */
export async function shareOpenWebinar(tx: AccountWriter, webinarId: string): Promise<Readonly<Webinar>> {
  // Both are sent at once. The second statement sees changes that were committed while the first one waited.
  const [, webinar] = await Promise.all([tx.query(shareWebinar, [webinarId]), findWebinar(tx, webinarId)]);
  if (webinar.status !== 'published') throw webinarErrors.webinar_not_published();
  return webinar;
}

/**
 * Finds a webinar for a change, after waiting for running bookings, and locks it against bookings and other changes. Throws
 * webinar_not_found, also for a webinar with another status.
 */
export async function lockWebinar(
  tx: AccountWriter,
  webinarId: string,
  statuses: readonly Webinar['status'][] = shownStatuses,
): Promise<Webinar> {
  const { em, accountId, query } = tx;
  await query(takeWebinar, [webinarId]);
  const webinar = await em.findOne(
    Webinar,
    { accountId, id: webinarId, status: { $in: statuses } },
    { lockMode: LockMode.PESSIMISTIC_WRITE },
  );
  if (!webinar) throw webinarErrors.webinar_not_found();
  return webinar;
}

const selectByKeys = statement({
  name: 'webinars.select_webinars',
  text: `
    select w.* from unnest($1::uuid[], $2::uuid[]) as k (account_id, id) join webinars.webinar w using (account_id, id)`,
  row: webinarRow.columns,
});

/** Keys of one account for loadWebinars and loadSessions, each once. */
export const keysIn = (accountId: string, ids: Iterable<string>): { accountId: string; id: string }[] =>
  [...new Set(ids)].map((id) => ({ accountId, id }));

/** Webinars in any status, by id, in one statement. `keys` may be of several accounts; each webinar is named once. */
export async function loadWebinars(
  query: Query,
  keys: readonly Pick<Webinar, 'accountId' | 'id'>[],
): Promise<Map<string, Webinar>> {
  if (keys.length === 0) return new Map();
  const rows = await query(selectByKeys, [keys.map(({ accountId }) => accountId), keys.map(({ id }) => id)]);
  return new Map(rows.map((row) => [row.id, webinarRow.toEntity(row)]));
}

const selectTitles = statement({
  name: 'webinars.select_titles',
  text: 'select id, title from webinars.webinar where account_id = $1 and id = any($2::uuid[])',
  row: { id: column.id, title: column.text },
});

/** The titles of webinars of the account in any status, by id. */
export async function nameWebinars(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  webinarIds: readonly string[],
): Promise<Map<string, string>> {
  if (webinarIds.length === 0) return new Map();
  const rows = await query(selectTitles, [accountId, webinarIds]);
  return new Map(rows.map(({ id, title }) => [id, title]));
}

const selectWindows = statement({
  name: 'webinars.select_attribution_windows',
  text: `
    select id, (attribution ->> 'windowDays')::int as "windowDays" from webinars.webinar
    where account_id = $1 and id = any($2::uuid[]) and attribution ->> 'windowDays' is not null`,
  row: { id: column.id, windowDays: column.integer },
});

/** The attribution windows of webinars that have one of their own, in days, by id. Webinars may have any status. */
export async function findAttributionWindows(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  webinarIds: readonly string[],
): Promise<Map<string, number>> {
  if (webinarIds.length === 0) return new Map();
  const rows = await query(selectWindows, [accountId, [...new Set(webinarIds)]]);
  return new Map(rows.map(({ id, windowDays }) => [id, windowDays]));
}

const selectPart = statement({
  name: 'webinars.select_part_of_webinar',
  text: `
    select 'interaction' as kind, type,
      coalesce(jsonb_path_query_array(details, '$.options[*].id'), '[]') as "optionIds"
    from webinars.interaction where account_id = $1 and webinar_id = $2 and id = $3
    union all
    select 'branch', null, '[]' from webinars.branch where account_id = $1 and webinar_id = $2 and id = $3
    union all
    select 'segment', null, '[]' from webinars.segment where account_id = $1 and webinar_id = $2 and id = $3`,
  row: {
    kind: column.textOf<'interaction' | 'branch' | 'segment'>(),
    /** Of an interaction. */
    type: nullable(column.textOf<InteractionType>()),
    /** Of a poll. */
    optionIds: column.json<string[]>(),
  },
});

/** The interaction, branch or segment of a webinar that has this id, also one that is switched off. */
export async function findPart(
  { query, accountId }: AccountQueries,
  { webinarId, id }: { webinarId: string; id: string },
): Promise<RowsOf<typeof selectPart> | undefined> {
  const [part] = await query(selectPart, [accountId, webinarId, id]);
  return part;
}
