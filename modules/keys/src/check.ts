// Authentication of a request: one prepared statement that finds the key and counts the request in its account's window.
// Nothing about a key is cached, so a revoked one is refused at once.
import type { Admission, Scope, Surface } from '@service/trpc';
import type { Database } from '@service/database';
import { hashKey, keyOfHeader } from './key-text.ts';

export interface RateLimit {
  /** Requests an account has in a window, over all its keys and surfaces. */
  requests: number;
  windowSeconds: number;
}

export type KeyCheck = (request: {
  authorization: string | undefined;
  surface: Surface;
  /** Undefined where any valid key will do. */
  scope: Scope | undefined;
}) => Promise<Admission | null>;

// Windows are aligned to the database's clock, so every process agrees on them. A request that waited for the row over
// the border of two windows counts in the later one. Beyond the limit nothing is added, so the counter says at most
// "one too many".
const admit = {
  name: 'keys.admit',
  text: `
    with found as (
      select account_id, id, label, scopes, surfaces from keys.api_key
      where hash = $1 and $2 = any(surfaces) and ($3::text is null or $3 = any(scopes))
    ), counted as (
      insert into keys.rate_window as current (account_id, started_at, used)
      select account_id, date_bin(make_interval(secs => $5), now(), timestamptz 'epoch'), 1 from found
      on conflict (account_id) do update set
        used = case when excluded.started_at > current.started_at then 1 else least(current.used, $4) + 1 end,
        started_at = greatest(current.started_at, excluded.started_at)
      returning used, extract(epoch from started_at)::float8 + $5 as resets_at
    )
    select found.*, used, resets_at, resets_at - extract(epoch from clock_timestamp())::float8 as seconds_left
    from found, counted`,
};

/** What every caller without a usable key looks up, so that a malformed key costs what an unknown one costs. */
const nobodysKey = 'svc_live_nobody';

/**
 * Says whose key a request bears and what is left of its account's window. Null for each of: no header, malformed,
 * unknown, revoked, wrong surface, missing scope. The caller must not tell them apart, and cannot; they are not counted.
 */
export function createKeyCheck(pool: Database['pool'], { requests, windowSeconds }: RateLimit): KeyCheck {
  return async ({ authorization, surface, scope }) => {
    const digest = hashKey(keyOfHeader(authorization) ?? nobodysKey);
    const values = [digest, surface, scope ?? null, requests, windowSeconds];
    const { rows } = await pool.query({ ...admit, values });
    const row = rows[0];
    if (!row) return null;
    const isExceeded = row.used > requests;
    return {
      principal: {
        kind: 'key',
        accountId: row.account_id,
        keyId: row.id,
        label: row.label,
        scopes: new Set(row.scopes),
        surfaces: row.surfaces,
        surface,
      },
      rate: {
        limit: requests,
        remaining: Math.max(0, requests - row.used),
        resetsAt: row.resets_at,
        retryAfterSeconds: isExceeded ? Math.max(1, Math.ceil(row.seconds_left)) : undefined,
      },
    };
  };
}
