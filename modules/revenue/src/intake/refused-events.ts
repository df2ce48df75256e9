import { namesAddress } from '@service/module';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { column, createId, createOldRowsDeleter, lockLimit, lowestId, statement } from '@service/database';
import type { AccountReader, AccountWriter } from '@service/database';
import type { Issue } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import { cursorId, toPage } from '@service/trpc';
import type { z } from 'zod';
import { revenueErrors } from '../errors.ts';
import type { RefusalReason } from './provider.ts';
import type { ListRefusedInput, RefusedEventDetail, RefusedEventOutput } from './source/schemas.ts';

/** A signed event that could not be stored, for owners. The body is sealed with the row's id as context. */
export const RefusedEvent = defineEntity({
  name: 'RevenueRefusedEvent',
  tableName: 'refused_event',
  schema: 'revenue',
  indexes: [{ name: 'refused_event_received_index', properties: ['receivedAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    /** Sorts by the time at which the event was received. */
    id: p.uuid().primary(),
    provider: p.text(),
    reason: p.text().$type<RefusalReason>(),
    issues: p.json<Issue[]>(),
    sealedBody: p.blob(),
    /** Bytes of the body. */
    size: p.integer(),
    receivedAt: p.datetime(3),
  },
});

export type RefusedEvent = InferEntity<typeof RefusedEvent>;

// Signed events that could not be stored, for a week. An account has at most 1,000 of them and 10 MB; the oldest are deleted first.

const refusedDays = 7;
const eventsMax = 1000;
const bytesMax = 10_000_000;
/** Problems of one event. */
const issuesMax = 20;

export interface RefusedDraft {
  provider: string;
  reason: RefusalReason;
  issues: Issue[];
  body: Buffer;
}

const insert = statement({
  name: 'revenue.insert_refused_events',
  text: `
    insert into revenue.refused_event (account_id, id, provider, reason, issues, sealed_body, size, received_at)
    select $1, id, provider, reason, issues, sealed_body, size, $8
    from unnest($2::uuid[], $3::text[], $4::text[], $5::jsonb[], $6::bytea[], $7::int[])
      as draft (id, provider, reason, issues, sealed_body, size)`,
});

const deleteOldest = statement({
  name: 'revenue.delete_oldest_refused_events',
  text: `
    delete from revenue.refused_event where account_id = $1 and id in (
      select id from (
        select id, row_number() over newest as place, sum(size) over newest as bytes
        from revenue.refused_event where account_id = $1
        window newest as (order by id desc)
      ) numbered
      where place > $2 or bytes > $3)`,
});

export async function keepRefused(
  tx: AccountWriter,
  drafts: readonly RefusedDraft[],
  secretBox: SecretBox,
): Promise<void> {
  if (drafts.length === 0) return;
  const { query, accountId, now } = tx;
  const rows = drafts.map((draft) => ({ ...draft, id: createId() }));
  await lockLimit(tx, 'revenue.refused_event');
  await query(insert, [
    accountId,
    rows.map(({ id }) => id),
    rows.map(({ provider }) => provider),
    rows.map(({ reason }) => reason),
    rows.map(({ issues }) => JSON.stringify(issues.slice(0, issuesMax).map(toStorable))),
    rows.map(({ id, body }) => secretBox.sealBytes(body, id)),
    rows.map(({ body }) => body.length),
    now,
  ]);
  await query(deleteOldest, [accountId, eventsMax, bytesMax]);
}

/** A path has the sender's names of members. Postgres stores no JSON with NUL or half a surrogate pair. */
const toStorable = ({ path, message }: Issue): Issue => ({
  path: path.toWellFormed().replaceAll('\0', '\ufffd'),
  message,
});

const deleteOld = createOldRowsDeleter({ table: 'revenue.refused_event', time: 'received_at' });

/** Deletes events of all accounts that are older than a week. Returns their number. */
export const deleteOldRefused = (query: AccountWriter['query'], now: Date): Promise<number> =>
  deleteOld(query, { before: new Date(now.getTime() - refusedDays * 24 * 60 * 60 * 1000) });

const refusedMax = 100;

const selectBodies = statement({
  name: 'revenue.select_refused_bodies',
  text: `
    select id, issues, sealed_body as "sealedBody" from revenue.refused_event
    where account_id = $1 and id > $2 and received_at <= $4::timestamptz order by id limit $3`,
  row: { id: column.id, issues: column.json<Issue[]>(), sealedBody: column.bytes },
});

const deleteRefused = statement({
  name: 'revenue.delete_refused_events_of_person',
  text: 'delete from revenue.refused_event where account_id = $1 and id = any($2::uuid[])',
});

/** Deletes events that name an address, of a hundred events that were received until a time. Returns the id after which the next call begins, and null at the end. */
export async function eraseRefused(
  { query, accountId }: AccountWriter,
  { email, until, after = lowestId }: { email: string; until: Date; after?: string | undefined },
  secretBox: SecretBox,
): Promise<string | null> {
  const rows = await query(selectBodies, [accountId, after, refusedMax, until]);
  const isNamed = ({ id, issues, sealedBody }: (typeof rows)[number]): boolean =>
    namesAddress(`${secretBox.openBytes(sealedBody, id).toString('utf8')} ${JSON.stringify(issues)}`, email);
  const ids = rows.filter(isNamed).map(({ id }) => id);
  if (ids.length > 0) await query(deleteRefused, [accountId, ids]);
  return rows.length === refusedMax ? rows.at(-1)!.id : null;
}

type Listed = Pick<RefusedEvent, 'id' | 'provider' | 'reason' | 'issues' | 'size' | 'receivedAt'>;

/** Newest first, those of the last week. */
export async function listRefused(
  { em, accountId, now }: AccountReader,
  { limit, cursor, provider }: z.output<typeof ListRefusedInput>,
) {
  const scope = { list: 'revenue.refused', accountId, filters: { provider } };
  const before = cursorId(cursor, scope);
  const rows = await em.find(
    RefusedEvent,
    {
      accountId,
      receivedAt: { $gte: startOf(now) },
      ...(provider !== undefined && { provider }),
      ...(before !== undefined && { id: { $lt: before } }),
    },
    {
      // Without the bodies.
      fields: ['id', 'provider', 'reason', 'issues', 'size', 'receivedAt'],
      orderBy: { id: 'desc' },
      limit: limit + 1,
    },
  );
  return toPage<Listed, z.output<typeof RefusedEventOutput>>(rows, { limit, scope, toItem: toOutput });
}

/** One event with its body. Throws refused_event_not_found. */
export async function getRefused(
  { em, accountId, now }: AccountReader,
  id: string,
  secretBox: SecretBox,
): Promise<z.output<typeof RefusedEventDetail>> {
  const row = await em.findOne(RefusedEvent, { accountId, id, receivedAt: { $gte: startOf(now) } });
  if (!row) throw revenueErrors.refused_event_not_found();
  return { ...toOutput(row), body: secretBox.openBytes(row.sealedBody, row.id).toString('utf8') };
}

const startOf = (now: Date): Date => new Date(now.getTime() - refusedDays * 24 * 60 * 60 * 1000);

const toOutput = ({ id, provider, reason, issues, size, receivedAt }: Listed) => ({
  id,
  provider,
  reason,
  issues,
  size,
  receivedAt: receivedAt.toISOString(),
});
