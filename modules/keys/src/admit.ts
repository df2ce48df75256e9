// Admission of a request: one prepared statement authenticates its key, counts it in the window of its account and reads the
// database's time. Keys are not cached, so a revoked key is refused at once.
import type { Scope, Surface } from '@service/catalogue';
import {
  column,
  isLockRefusal,
  isWriteRefusal,
  nullable,
  observeDatabaseTime,
  queryOn,
  statement,
  type Database,
  type Query,
  type RowsOf,
} from '@service/database';
import type { Admission, AdmitClient } from '@service/surface';
import { batchRequests } from './batch-requests.ts';
import { columnsToCreator, type CreatorColumns } from './entities.ts';
import { hashKey, keyOfHeader } from './key-text.ts';

export interface RateLimit {
  /** Requests that an account may make in a window, over all its keys and surfaces. */
  requests: number;
  windowSeconds: number;
}

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

const admittedRow = {
  number: column.digits,
  account_id: column.id,
  id: column.id,
  label: column.text,
  scopes: column.textsOf<Scope>(),
  surfaces: column.textsOf<Surface>(),
  createdByKind: column.textOf<CreatorColumns['createdByKind']>(),
  createdById: nullable(column.id),
  createdByName: nullable(column.text),
  is_suspended: column.boolean,
  now_ms: column.float,
  resets_at: column.float,
  seconds_left: column.float,
  // The position of the request in its window, from 1.
  place: column.digits,
};

// Windows are aligned to the database's clock, so all processes use the same ones. A request that waited for its row across the
// border of two windows counts in the later one. The next statement reduces a counter above the limit to the limit, so it never
// grows without bound. All statements count their accounts in one order, so they never wait for each other in a circle. A row
// that stays locked for too long fails the batch, so that the other accounts of the batch do not wait for it.
const admit = statement({
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
      cross join unnest($1::bytea[], $2::text[], $3::text[]) with ordinality as requested (hash, surface, scopes, number)
      join keys.api_key key on key.hash = requested.hash
      left join keys.suspended_account suspended on suspended.account_id = key.account_id
      where requested.surface = any(key.surfaces) and string_to_array(requested.scopes, ' ') <@ key.scopes
    ), counted as (${countRequests}
    )
    select found.*, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
      resets_at, resets_at - extract(epoch from clock_timestamp())::float8 as seconds_left,
      used - count(*) over (partition by account_id)
        + row_number() over (partition by account_id order by number) as place
    from found join counted using (account_id)`,
  row: admittedRow,
  allAccounts: 'A request carries only its key, which names the account.',
});

/** The same for a database that takes no writes: requests are admitted within the limit and not counted. */
const admitUncounted = statement({
  name: 'keys.admit_uncounted',
  text: admit.text.replace(
    countRequests,
    `
      select account_id, least(count(*), $4) as used,
        extract(epoch from date_bin(make_interval(secs => $5), now(), timestamptz 'epoch'))::float8 + $5 as resets_at
      from found group by account_id`,
  ),
  row: admittedRow,
  allAccounts: 'A request carries only its key, which names the account.',
});

/** Reads are answered even while the database takes no writes, because its disk is full or it is read-only. */
async function admitAll(query: Query, values: unknown[]) {
  try {
    return await query(admit, values);
  } catch (error) {
    if (!isWriteRefusal(error)) throw error;
    return query(admitUncounted, values);
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
  scopes: readonly Scope[];
}

/**
 * Creates the function that authenticates the key of a request and counts the request. It resolves to null for a missing,
 * malformed, unknown or revoked key, a wrong surface and a missing scope: the caller cannot distinguish these cases, and they are
 * not counted. Concurrent requests share a statement, in which accounts take turns.
 */
export function createKeyAdmission(
  pool: Database['pool'],
  { requests: limit, windowSeconds }: RateLimit,
): AdmitClient {
  const query = queryOn(pool);
  // Only groups requests by account. It never decides whether a request is admitted.
  const accountByHash = new Map<string, string>();

  async function send(requests: readonly HashedRequest[]): Promise<(Admission | null)[]> {
    const sentAtMs = performance.now();
    const rows = await admitAll(query, [
      requests.map(({ hash }) => hash),
      requests.map(({ surface }) => surface),
      requests.map(({ scopes }) => scopes.join(' ')),
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

  return ({ authorization, surface, scopes }) => {
    const hash = hashKey(keyOfHeader(authorization) ?? unusableKey);
    return sendInBatches({ hash, hashText: hash.toString('latin1'), surface, scopes });
  };
}

function toAdmission(row: RowsOf<typeof admit>, surface: Surface, limit: number): Admission {
  const place = Number(row.place);
  return {
    principal: {
      kind: 'key',
      accountId: row.account_id,
      credentialId: row.id,
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
