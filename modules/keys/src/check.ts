// Authentication of a request: one prepared statement finds the key and counts the request in its account's window.
// Nothing about a key is cached, so a revoked one is refused at once.
import { isLockRefusal, isWriteRefusal, observeDatabaseTime, type Database } from '@service/database';
import type { Admission, Scope, Surface } from '@service/trpc';
import { columnsToCreator, type CreatorColumns } from './creator.ts';
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
/** The longest a statement waits for the row of an account, in milliseconds. Two statements that share one need about 1 ms. */
const lockTimeoutMs = 100;

// Windows are aligned to the database's clock, so every process agrees on them. A request that waited for the row over
// the border of two windows counts in the later one. What goes beyond the limit is forgotten by the next statement, so the
// counter never runs away. Accounts are counted in one order: statements that share several never wait in a circle. A row that
// stays locked for longer than other requests need is refused, so that the other accounts of the batch do not wait for it.
const admit = {
  name: 'keys.admit',
  text: `
    with impatient as materialized (
      select set_config('lock_timeout', '${lockTimeoutMs}', true)
    ), found as (
      select asked.number, key.account_id, key.id, key.label, key.scopes, key.surfaces,
        key.created_by_kind as "createdByKind",
        key.created_by_id as "createdById", key.created_by_name as "createdByName",
        suspended.account_id is not null as is_suspended
      from impatient
      cross join unnest($1::bytea[], $2::text[], $3::text[]) with ordinality as asked (hash, surface, scope, number)
      join keys.api_key key on key.hash = asked.hash
      left join keys.suspended_account suspended on suspended.account_id = key.account_id
      where asked.surface = any(key.surfaces) and (asked.scope is null or asked.scope = any(key.scopes))
    ), counted as (${countRequests}
    )
    select found.*, extract(epoch from clock_timestamp())::float8 * 1000 as now_ms,
      resets_at, resets_at - extract(epoch from clock_timestamp())::float8 as seconds_left,
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
    return await pool.query<AdmittedRow>({ ...admit, values });
  } catch (error) {
    if (!isWriteRefusal(error)) throw error;
    return pool.query<AdmittedRow>({ ...admitUncounted, values });
  }
}

/** What every caller without a usable key looks up, so that a malformed key costs what an unknown one costs. */
const nobodysKey = 'svc_live_nobody';

/** Requests that one statement looks at. */
const batchMax = 100;

/** Statements under way. While they are, the requests that come are gathered for the next one. */
const statementsMax = 2;

/** An account whose row is locked is asked for again after this time, in milliseconds, and its requests fail after that one. */
const lockedRestMs = 250;
const lockedWaitMaxMs = 5000;

/** Keys whose account is remembered. */
const remembered = 10_000;

interface Question {
  hash: Buffer;
  /** The hash again, to look things up by. */
  name: string;
  surface: Surface;
  scope: Scope | undefined;
}

/**
 * Says whose key a request bears, what is left of its account's window, and what time it is. Null for each of: no header,
 * malformed, unknown, revoked, wrong surface, missing scope. The caller must not distinguish them, and cannot; they are not
 * counted. Requests that come while the database is busy with others are admitted by one statement, in which accounts take turns.
 */
export function createKeyCheck(pool: Database['pool'], { requests, windowSeconds }: RateLimit): KeyCheck {
  // Decides only in which lane a request waits, never whether it is admitted.
  const accountByName = new Map<string, string>();

  async function ask(questions: readonly Question[]): Promise<(Admission | null)[]> {
    const askedAtMs = performance.now();
    const { rows } = await queryAdmissions(pool, [
      questions.map(({ hash }) => hash),
      questions.map(({ surface }) => surface),
      questions.map(({ scope }) => scope ?? null),
      requests,
      windowSeconds,
    ]);
    if (rows[0]) observeDatabaseTime(rows[0].now_ms, askedAtMs);
    const rowByNumber = new Map(rows.map((row) => [Number(row.number), row]));
    return questions.map(({ name, surface }, index) => {
      const row = rowByNumber.get(index + 1);
      if (!row) return null;
      remember(name, row.account_id);
      return toAdmission(row, surface, requests);
    });
  }

  function remember(name: string, accountId: string): void {
    if (accountByName.size >= remembered && !accountByName.has(name)) accountByName.clear();
    accountByName.set(name, accountId);
  }

  const askTogether = gather(
    {
      batchMax,
      concurrency: statementsMax,
      laneOf: ({ name }) => accountByName.get(name) ?? '',
      isLocked: isLockRefusal,
      restMs: lockedRestMs,
      waitMaxMs: lockedWaitMaxMs,
    },
    ask,
  );

  return ({ authorization, surface, scope }) => {
    const hash = hashKey(keyOfHeader(authorization) ?? nobodysKey);
    return askTogether({ hash, name: hash.toString('latin1'), surface, scope });
  };
}

interface AdmittedRow extends CreatorColumns {
  number: string;
  account_id: string;
  id: string;
  label: string;
  scopes: Scope[];
  surfaces: Surface[];
  /** Of the request in its window, from 1. */
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
