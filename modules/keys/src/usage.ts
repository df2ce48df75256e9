import { queryOn, statement } from '@service/database';
import type pg from 'pg';

/** The use of a key or a grant since it was last counted. */
export interface CredentialUsage {
  accountId: string;
  credentialId: string;
  requests: number;
  lastUsedAt: Date;
}

/** Adds to the counters of many credentials in one statement of the caller's transaction. Skips those that are deleted. */
export type CountRequests = (client: pg.ClientBase, usage: readonly CredentialUsage[]) => Promise<void>;

/**
 * Makes the function that counts requests in a table with the columns `requests` and `last_used_at`. It locks the rows in the order
 * of the primary key first, so that two processes that count the same credentials never deadlock.
 */
export function createUsageCounter({ name, table }: { name: string; table: string }): CountRequests {
  const addUsage = statement({
    name,
    text: `
      with usage as (
        select * from unnest($1::uuid[], $2::uuid[], $3::bigint[], $4::timestamptz[])
          as t (account_id, id, requests, last_used_at)
      ), locked as materialized (
        select account_id, id from ${table} credential join usage using (account_id, id)
        order by account_id, id for update of credential
      )
      update ${table} credential
      set requests = credential.requests + usage.requests,
        last_used_at = greatest(credential.last_used_at, usage.last_used_at)
      from locked join usage using (account_id, id)
      where credential.account_id = locked.account_id and credential.id = locked.id`,
  });
  return async (client, usage) => {
    if (usage.length === 0) return;
    await queryOn(client)(addUsage, [
      usage.map(({ accountId }) => accountId),
      usage.map(({ credentialId }) => credentialId),
      usage.map(({ requests }) => requests),
      usage.map(({ lastUsedAt }) => lastUsedAt),
    ]);
  };
}

/** Counts the requests of API keys. */
export const countRequests = createUsageCounter({ name: 'keys.add_usage', table: 'keys.api_key' });
