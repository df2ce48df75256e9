// Authentication of a request: one prepared statement finds the key and counts the request in its account's window.
// Nothing about a key is cached, so a revoked one is refused at once.
import type { Admission, Scope, Surface } from '@service/trpc';
import { isWriteRefusal, type Database } from '@service/database';
import { gather } from './gather.ts';
import { hashKey, keyOfHeader } from './key-text.ts';

export interface RateLimit {
  /** Requests an account has in a window, over all its keys and surfaces. */
  requests: number;
  windowSeconds: number;
}

interface Bearer {
  authorization: string | undefined;
  surface: Surface;
  /** Undefined where any valid key will do. */
  scope: Scope | undefined;
}

export type KeyCheck = (bearer: Bearer) => Promise<Admission | null>;

const countRequests = `
      insert into keys.rate_window as current (account_id, started_at, used)
      select account_id, date_bin(make_interval(secs => $5), now(), timestamptz 'epoch'), count(*) from found
      group by account_id order by account_id
      on conflict (account_id) do update set
        used = case when excluded.started_at > current.started_at then 0 else least(current.used, $4) end
          + excluded.used,
        started_at = greatest(current.started_at, excluded.started_at)
      returning account_id, used, extract(epoch from started_at)::float8 + $5 as resets_at`;

// Windows are aligned to the database's clock, so every process agrees on them. A request that waited for the row over
// the border of two windows counts in the later one. What goes beyond the limit is forgotten by the next statement, so the
// counter never runs away. Accounts are counted in one order: statements that share several never wait in a circle.
const admit = {
  name: 'keys.admit',
  text: `
    with found as (
      select asked.number, key.account_id, key.id, key.label, key.scopes, key.surfaces
      from unnest($1::bytea[], $2::text[], $3::text[]) with ordinality as asked (hash, surface, scope, number)
      join keys.api_key key on key.hash = asked.hash
      where asked.surface = any(key.surfaces) and (asked.scope is null or asked.scope = any(key.scopes))
    ), counted as (${countRequests}
    )
    select found.*, resets_at, resets_at - extract(epoch from clock_timestamp())::float8 as seconds_left,
      used - count(*) over (partition by account_id)
        + row_number() over (partition by account_id order by number) as place
    from found join counted using (account_id)`,
};

/** The same where the database takes no writes: requests are admitted within the limit and not counted. */
const admitUncounted = {
  name: 'keys.admit_uncounted',
  text: admit.text.replace(
    countRequests,
    `
      select account_id, least(count(*), $4) as used,
        extract(epoch from date_bin(make_interval(secs => $5), now(), timestamptz 'epoch'))::float8 + $5 as resets_at
      from found group by account_id`,
  ),
};

/** Reads are answered even while nothing can be written, because the disk is full or the database is read-only. */
async function queryAdmissions(pool: Database['pool'], values: unknown[]) {
  try {
    return await pool.query({ ...admit, values });
  } catch (error) {
    if (!isWriteRefusal(error)) throw error;
    return pool.query({ ...admitUncounted, values });
  }
}

/** What every caller without a usable key looks up, so that a malformed key costs what an unknown one costs. */
const nobodysKey = 'svc_live_nobody';

/** Requests that one statement looks at. */
const batchMax = 100;

/** Statements under way. While they are, the requests that come are gathered for the next one. */
const statementsMax = 2;

/**
 * Says whose key a request bears and what is left of its account's window. Null for each of: no header, malformed,
 * unknown, revoked, wrong surface, missing scope. The caller must not tell them apart, and cannot; they are not counted.
 * Requests that come while the database is busy with others are admitted by one statement, each in its own place.
 */
export function createKeyCheck(pool: Database['pool'], { requests, windowSeconds }: RateLimit): KeyCheck {
  return gather({ batchMax, concurrency: statementsMax }, async (bearers: readonly Bearer[]) => {
    const { rows } = await queryAdmissions(pool, [
      bearers.map(({ authorization }) => hashKey(keyOfHeader(authorization) ?? nobodysKey)),
      bearers.map(({ surface }) => surface),
      bearers.map(({ scope }) => scope ?? null),
      requests,
      windowSeconds,
    ]);
    const rowByNumber = new Map(rows.map((row) => [Number(row.number), row]));
    return bearers.map(({ surface }, index) => {
      const row = rowByNumber.get(index + 1);
      return row ? toAdmission(row, surface, requests) : null;
    });
  });
}

interface AdmittedRow {
  account_id: string;
  id: string;
  label: string;
  scopes: Scope[];
  surfaces: Surface[];
  /** Of the request in its window, from 1. */
  place: string;
  resets_at: number;
  seconds_left: number;
}

function toAdmission(row: AdmittedRow, surface: Surface, limit: number): Admission {
  const place = Number(row.place);
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
      limit,
      remaining: Math.max(0, limit - place),
      resetsAt: row.resets_at,
      retryAfterSeconds: place > limit ? Math.max(1, Math.ceil(row.seconds_left)) : undefined,
    },
  };
}
