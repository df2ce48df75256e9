import { randomInt } from 'node:crypto';
import type { AccountReader } from '@service/database';
import { commonErrors } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import { AlreadyAnswered, type AnswerStore, type KeyedRequest } from '@service/trpc';
import { openBody, sealBody } from './body-seal.ts';

interface AnswersOptions {
  secretBox: SecretBox;
  /** How long an answer is given again; after that the key is free. */
  windowHours: number;
}

/** Whoever holds a key is inside a transaction, so the lock goes with it even if its process is killed. */
const retryAfterSeconds = 1;

/** Most bytes of answers that are kept for an account. */
const storageMaxBytes = 256 * 1024 * 1024;

/** Room is made once an hour, when the answers that have expired are deleted. */
const retryWhenFullSeconds = 3600;

/** Bytes of a row without its key and body: the other columns, the row's header and the index entries. */
const rowBytes = 100;

/** Writes of one account that can count their bytes at the same moment. */
const slots = 8;

export function createAnswers({ secretBox, windowHours }: AnswersOptions): AnswerStore {
  async function find(
    { query, accountId, now }: Omit<AccountReader, 'em'>,
    { key, fingerprint }: KeyedRequest,
  ) {
    const [row] = await query<KeptRow>(findAnswer, [accountId, key, expiryOf(now, windowHours)]);
    if (!row) return undefined;
    if (!fingerprint.equals(row.fingerprint)) throw commonErrors.idempotency_key_reused();
    const { status, location } = row;
    return { status, location, body: bodyOf(row, contextOf(accountId, key)) };
  }

  function bodyOf({ sealed, sealed_body }: KeptRow, context: string): string | null {
    if (sealed !== null) return openBody(secretBox, sealed, context);
    return sealed_body === null ? null : secretBox.open(sealed_body, context);
  }

  return {
    find,
    async claim(tx, request) {
      // Asked in one breath; the look-up is of after the lock, and counts only if that was obtained.
      const locking = tx.query<{ taken: boolean }>(tryLock, [tx.accountId, request.key]);
      const finding = find(tx, request);
      finding.catch(() => undefined);
      const counting = tx.query<{ is_full: boolean }>(compareStorage, [tx.accountId, storageMaxBytes]);
      counting.catch(() => undefined);
      const [lock] = await locking;
      if (!lock!.taken) throw commonErrors.idempotency_in_progress({ retryAfterSeconds });
      const answer = await finding;
      if (answer) throw new AlreadyAnswered(answer);
      const [storage] = await counting;
      if (storage!.is_full)
        throw commonErrors.idempotency_storage_full({ retryAfterSeconds: retryWhenFullSeconds });
    },
    keep({ defer, accountId, now }, { key, fingerprint }, { status, body, location }) {
      const sealed = body === null ? null : sealBody(secretBox, body, contextOf(accountId, key));
      const bytes = rowBytes + key.length + (sealed?.length ?? 0);
      const slot = randomInt(1, slots + 1);
      defer(keepAnswer, [accountId, key, fingerprint, status, location, sealed, now, bytes, slot]);
    },
  };
}

interface KeptRow {
  fingerprint: Buffer;
  status: number;
  location: string | null;
  sealed_body: string | null;
  sealed: Buffer | null;
}

const findAnswer = {
  name: 'idempotency.find_answer',
  text: `
    select fingerprint, status, location, sealed_body, sealed from idempotency.kept_answer
    where account_id = $1 and key = $2 and created_at > $3`,
};

// By a digest of account and key. Two of them with one digest would only have to take turns.
const tryLock = {
  name: 'idempotency.try_lock',
  text: `select pg_try_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 7216340553)) as taken`,
};

const compareStorage = {
  name: 'idempotency.compare_storage',
  text: `
    select coalesce(sum(bytes), 0) >= $2::bigint as is_full from idempotency.kept_bytes where account_id = $1`,
};

// An expired answer that was not swept yet is replaced; its bytes stay counted until the next sweep.
const keepAnswer = {
  name: 'idempotency.keep_answer',
  text: `
    with kept as (
      insert into idempotency.kept_answer
        (account_id, key, fingerprint, status, location, sealed, created_at, bytes)
      values ($1, $2, $3, $4, $5, $6, $7, $8)
      on conflict (account_id, key) do update set
        fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location,
        sealed_body = null, sealed = excluded.sealed, created_at = excluded.created_at, bytes = excluded.bytes
    )
    insert into idempotency.kept_bytes as total (account_id, slot, bytes) values ($1, $9, $8)
    on conflict (account_id, slot) do update set bytes = total.bytes + excluded.bytes`,
};

const contextOf = (accountId: string, key: string): string => `${accountId} ${key}`;

/** Answers kept at or before this moment count no more. */
export const expiryOf = (now: Date, windowHours: number): Date =>
  new Date(now.getTime() - windowHours * 3_600_000);
