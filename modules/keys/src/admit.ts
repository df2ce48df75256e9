// Admission of a request: one prepared statement authenticates its key, counts it in the window of its account and reads the
// database's time. Keys are not cached, so a revoked key is refused at once.
import { isLockRefusal, isWriteRefusal, observeDatabaseTime, type Database } from '@service/database';
import type { Admission, Scope, Surface } from '@service/trpc';
import { batchRequests } from './batch-requests.ts';
import { columnsToCreator, type CreatorColumns } from './entities.ts';
import { hashKey, keyOfHeader } from './key-text.ts';

export interface RateLimit {
  /** Requests that an account may make in a window, over all its keys and surfaces. */
  requests: number;
  windowSeconds: number;
}

interface BearerRequest {
  authorization: string | undefined;
  surface: Surface;
  /** Undefined: any valid key is enough. */
  scope: Scope | undefined;
}

/**
 * Authenticates the key of a request and counts the request. Null for a missing, malformed, unknown or revoked key, a wrong
 * surface and a missing scope: the caller cannot distinguish these cases, and they are not counted.
 */
export type AdmitKey = (request: BearerRequest) => Promise<Admission | null>;

const countRequests = `
      insert into keys.rate_window as current (account_id, started_at, used)
      select account_id, date_bin(make_interval(secs => $5), now(), timestamptz 'epoch'), count(*) from found
      group by account_id order by account_id
      on conflict (account_id) do update set
        used = case when excluded.started_at > current.started_at then 0 else least(current.used, $4) end
          + excluded.used,
        started_at = greatest(current.started_at, excluded.started_at)
      returning account_id, used, extract(epoch from started_at)::float8 + $5 as resets_at`;

/** The longest time that a statement waits for the row of an account, in milliseconds. Two that share a row need about 1 ms. */
const lockTimeoutMs = 100;

// Windows are aligned to the database's clock, so all processes use the same ones. A request that waited for its row across the
// border of two windows counts in the later one. The next statement reduces a counter above the limit to the limit, so it never
// grows without bound. All statements count their accounts in one order, so they never wait for each other in a circle. A row
// that stays locked for too long fails the batch, so that the other accounts of the batch do not wait for it.
const admit = {
  name: 'keys.admit',
  text: `
    with short_wait as materialized (
      select set_config('lock_timeout', '${lockTimeoutMs}', true)
    ), found as (
      select requested.number, key.account_id, key.id, key.label, key.scopes, key.surfaces,
        key.created_by_kind as "createdByKind",
        key.created_by_id as "createdById", key.created_by_name as "createdByName",
        suspended.account_id is not null as is_suspended
      from short_wait
      cross join unnest($1::bytea[], $2::text[], $3::text[]) with ordinality as requested (hash, surface, scope, number)
      join keys.api_key key on key.hash = requested.hash
      left join keys.suspended_account suspended on suspended.account_id = key.account_id
      where requested.surface = any(key.surfaces) and (requested.scope is null or requested.scope = any(key.scopes))
    ), counted as (${countRequests}
    )
    select found.*, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
      resets_at, resets_at - extract(epoch from clock_timestamp())::float8 as seconds_left,
      used - count(*) over (partition by account_id)
        + row_number() over (partition by account_id order by number) as place
    from found join counted using (account_id)`,
};

/** The same for a database that takes no writes: requests are admitted within the limit and not counted. */
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

/** Reads are answered even while the database takes no writes, because its disk is full or it is read-only. */
async function admitAll(pool: Database['pool'], values: unknown[]) {
  try {
    return await pool.query<AdmittedRow>({ ...admit, values });
  } catch (error) {
    if (!isWriteRefusal(error)) throw error;
    return pool.query<AdmittedRow>({ ...admitUncounted, values });
  }
}

/** Sent for a malformed key, so that its refusal takes as long as that of an unknown key. */
const unusableKey = 'svc_live_unusable';

/** Requests in one statement. */
const batchMax = 100;

/** Statements under way at once. */
const statementsMax = 2;

const lockedRetryMs = 250;
const lockedWaitMaxMs = 5000;

/** Keys whose accounts are remembered. */
const accountsMax = 10_000;

interface HashedRequest {
  hash: Buffer;
  /** The hash as a key of a Map. */
  hashText: string;
  surface: Surface;
  scope: Scope | undefined;
}

/** Creates the function that admits requests. Concurrent requests share a statement, in which accounts take turns. */
export function createKeyAdmission(
  pool: Database['pool'],
  { requests: limit, windowSeconds }: RateLimit,
): AdmitKey {
  // Only groups requests by account. It never decides whether a request is admitted.
  const accountByHash = new Map<string, string>();

  async function send(requests: readonly HashedRequest[]): Promise<(Admission | null)[]> {
    const sentAtMs = performance.now();
    const { rows } = await admitAll(pool, [
      requests.map(({ hash }) => hash),
      requests.map(({ surface }) => surface),
      requests.map(({ scope }) => scope ?? null),
      limit,
      windowSeconds,
    ]);
    if (rows[0]) observeDatabaseTime(rows[0].now_ms, sentAtMs);
    const rowByNumber = new Map(rows.map((row) => [Number(row.number), row]));
    return requests.map(({ hashText, surface }, index) => {
      const row = rowByNumber.get(index + 1);
      if (!row) return null;
      rememberAccount(hashText, row.account_id);
      return toAdmission(row, surface, limit);
    });
  }

  function rememberAccount(hashText: string, accountId: string): void {
    if (accountByHash.size >= accountsMax && !accountByHash.has(hashText)) accountByHash.clear();
    accountByHash.set(hashText, accountId);
  }

  const sendInBatches = batchRequests(
    {
      batchMax,
      concurrency: statementsMax,
      groupOf: ({ hashText }) => accountByHash.get(hashText) ?? '',
      isLockRefusal,
      retryMs: lockedRetryMs,
      waitMaxMs: lockedWaitMaxMs,
    },
    send,
  );

  return ({ authorization, surface, scope }) => {
    const hash = hashKey(keyOfHeader(authorization) ?? unusableKey);
    return sendInBatches({ hash, hashText: hash.toString('latin1'), surface, scope });
  };
}

interface AdmittedRow extends CreatorColumns {
  number: string;
  account_id: string;
  id: string;
  label: string;
  scopes: Scope[];
  surfaces: Surface[];
  /** The position of the request in its window, from 1. */
  place: string;
  is_suspended: boolean;
  now_ms: number;
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
      createdBy: columnsToCreator(row),
    },
    now: new Date(Math.floor(row.now_ms)),
    isSuspended: row.is_suspended,
    rate: {
      limit,
      remaining: Math.max(0, limit - place),
      resetsAt: row.resets_at,
      retryAfterSeconds: place > limit ? Math.max(1, Math.ceil(row.seconds_left)) : undefined,
    },
  };
}
