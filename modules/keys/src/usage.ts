import { queryOn, statement } from '@service/database';
import type pg from 'pg';

/** The use of a key since it was last counted. */
export interface KeyUsage {
  accountId: string;
  keyId: string;
  requests: number;
  lastUsedAt: Date;
}

// Locks the rows in the order of the primary key first, so that two processes that count the same keys never deadlock.
const addUsage = statement({
  name: 'keys.add_usage',
  text: `
    with usage as (
      select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::timestamptz[])
        as t (account_id, id, requests, last_used_at)
    ), locked as materialized (
      select account_id, id from keys.api_key join usage using (account_id, id)
      order by account_id, id for update of api_key
    )
    update keys.api_key k
    set requests = k.requests + usage.requests, last_used_at = greatest(k.last_used_at, usage.last_used_at)
    from locked join usage using (account_id, id)
    where k.account_id = locked.account_id and k.id = locked.id`,
});

/** Adds to the counters of many keys in one statement of the caller's transaction. Skips revoked keys. */
export async function countRequests(client: pg.ClientBase, usage: readonly KeyUsage[]): Promise<void> {
  await queryOn(client)(addUsage, [
    usage.map((key) => key.accountId),
    usage.map((key) => key.keyId),
    usage.map((key) => key.requests),
    usage.map((key) => key.lastUsedAt),
  ]);
}
