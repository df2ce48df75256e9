// Signed events that could not be stored, for a week. An account has at most 1,000 of them and 10 MB; the oldest are deleted first.
import { createId, createOldRowsDeleter, lockLimit, statement, type AccountWriter } from '@service/database';
import type { Issue } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import type { RefusalReason } from '../provider.ts';

export const refusedDays = 7;
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
