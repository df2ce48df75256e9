// Admission of a request: one prepared statement authenticates its credential, counts it in the window of its account and reads the
// database's time. Credentials are not cached, so a revoked one is refused at once.
import type { Scope, Surface } from '@service/catalogue';
import {
  isLockRefusal,
  isWriteRefusal,
  observeDatabaseTime,
  queryOn,
  type Database,
} from '@service/database';
import type { Admission, AdmitClient } from '@service/surface';
import {
  accessTokenStatements,
  keyStatements,
  type AdmissionStatements,
  type AdmittedRow,
} from './admit-statements.ts';
import { batchRequests } from './batch-requests.ts';
import { accessTokenText, hashCredential, keyText, type CredentialText } from './credential-text.ts';
import { columnsToCreator } from './entities.ts';

export interface RateLimit {
  /** Requests that an account may make in a window, over all its credentials and surfaces. */
  requests: number;
  windowSeconds: number;
}

/** A kind of credential. */
interface CredentialKind {
  kind: Admission['principal']['kind'];
  text: CredentialText;
  statements: AdmissionStatements;
}

/**
 * Creates the function that authenticates the API key of a request and counts the request. It resolves to null for a missing,
 * malformed, unknown, revoked or expired key, a wrong surface and a missing scope: the caller cannot distinguish these cases, and they are
 * not counted. Concurrent requests share a statement, in which accounts take turns.
 */
export const createKeyAdmission = (pool: Database['pool'], rateLimit: RateLimit): AdmitClient =>
  createAdmission({ kind: 'key', text: keyText, statements: keyStatements }, pool, rateLimit);

/**
 * The same for the access token of a grant. It resolves to null for a missing, malformed, unknown, expired or ended token. A token
 * without a scope is admitted and counted: its caller may learn which scope it lacks.
 */
export const createGrantAdmission = (pool: Database['pool'], rateLimit: RateLimit): AdmitClient =>
  createAdmission(
    { kind: 'grant', text: accessTokenText, statements: accessTokenStatements },
    pool,
    rateLimit,
  );

/** Sent for a malformed credential, so that its refusal takes as long as that of an unknown one. */
const unusable = 'unusable';

/** Requests in one statement. */
const batchMax = 100;

/** Statements under way at once. */
const statementsMax = 2;

const lockedRetryMs = 250;
const lockedWaitMaxMs = 5000;

/** Credentials whose accounts are remembered. */
const accountsMax = 10_000;

interface HashedRequest {
  hash: Buffer;
  /** The hash as a key of a Map. */
  hashText: string;
  surface: Surface;
  scopes: readonly Scope[];
}

function createAdmission(
  { kind, text, statements }: CredentialKind,
  pool: Database['pool'],
  { requests: limit, windowSeconds }: RateLimit,
): AdmitClient {
  const query = queryOn(pool);
  // Only groups requests by account. It never decides whether a request is admitted.
  const accountByHash = new Map<string, string>();

  /** Reads are answered even while the database takes no writes, because its disk is full or it is read-only. */
  async function admitAll(values: unknown[]): Promise<AdmittedRow[]> {
    try {
      return await query(statements.admit, values);
    } catch (error) {
      if (!isWriteRefusal(error)) throw error;
      return query(statements.admitUncounted, values);
    }
  }

  async function send(requests: readonly HashedRequest[]): Promise<(Admission | null)[]> {
    const sentAtMs = performance.now();
    const rows = await admitAll([
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
      return toAdmission(row, { kind, surface, limit });
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

  return async ({ authorization, surface, scopes, isCounted = true }) => {
    const hash = hashCredential(text.ofHeader(authorization) ?? unusable);
    if (isCounted) return sendInBatches({ hash, hashText: hash.toString('latin1'), surface, scopes });
    const values = [[hash], [surface], [scopes.join(' ')], limit, windowSeconds];
    const [row] = await query(statements.admitUncounted, values);
    return row ? toAdmission(row, { kind, surface, limit }) : null;
  };
}

interface Admitted extends Pick<CredentialKind, 'kind'> {
  surface: Surface;
  limit: number;
}

function toAdmission(row: AdmittedRow, { kind, surface, limit }: Admitted): Admission {
  const place = Number(row.place);
  return {
    principal: {
      kind,
      accountId: row.account_id,
      credentialId: row.id,
      label: row.label,
      scopes: new Set(row.scopes),
      surfaces: row.surfaces,
      surface,
      createdBy: columnsToCreator(row),
      expiresAt: row.expires_at,
    },
    now: new Date(Math.floor(row.now_ms)),
    isSuspended: row.is_suspended,
    rate: {
      accountId: row.account_id,
      limit,
      remaining: Math.max(0, limit - place),
      resetsAt: row.resets_at,
      retryAfterSeconds: place > limit ? Math.max(1, Math.ceil(row.seconds_left)) : undefined,
    },
  };
}
