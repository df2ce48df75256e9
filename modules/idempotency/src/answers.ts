import type { AccountReader } from '@service/database';
import { commonErrors } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import { AlreadyAnswered, type AnswerStore, type KeyedRequest } from '@service/trpc';

interface AnswersOptions {
  secretBox: SecretBox;
  /** How long an answer is given again; after that the key is free. */
  windowHours: number;
}

/** Whoever holds a key is inside a transaction, so the lock goes with it even if its process is killed. */
const retryAfterSeconds = 1;

export function createAnswers({ secretBox, windowHours }: AnswersOptions): AnswerStore {
  async function find(
    { query, accountId, now }: Omit<AccountReader, 'em'>,
    { key, fingerprint }: KeyedRequest,
  ) {
    const [row] = await query<KeptRow>(findAnswer, [accountId, key, expiryOf(now, windowHours)]);
    if (!row) return undefined;
    if (!fingerprint.equals(row.fingerprint)) throw commonErrors.idempotency_key_reused();
    const { status, location } = row;
    const body = row.sealed_body === null ? null : secretBox.open(row.sealed_body, contextOf(accountId, key));
    return { status, location, body };
  }

  return {
    find,
    async claim(tx, request) {
      // Asked in one breath; the look-up is of after the lock, and counts only if that was obtained.
      const locking = tx.query<{ taken: boolean }>(tryLock, [tx.accountId, request.key]);
      const finding = find(tx, request);
      finding.catch(() => undefined);
      const [lock] = await locking;
      if (!lock!.taken) throw commonErrors.idempotency_in_progress({ retryAfterSeconds });
      const answer = await finding;
      if (answer) throw new AlreadyAnswered(answer);
    },
    keep({ defer, accountId, now }, { key, fingerprint }, { status, body, location }) {
      const sealed = body === null ? null : secretBox.seal(body, contextOf(accountId, key));
      defer(keepAnswer, [accountId, key, fingerprint, status, location, sealed, now]);
    },
  };
}

interface KeptRow {
  fingerprint: Buffer;
  status: number;
  location: string | null;
  sealed_body: string | null;
}

const findAnswer = {
  name: 'idempotency.find_answer',
  text: `
    select fingerprint, status, location, sealed_body from idempotency.kept_answer
    where account_id = $1 and key = $2 and created_at > $3`,
};

// By a digest of account and key. Two of them with one digest would only have to take turns.
const tryLock = {
  name: 'idempotency.try_lock',
  text: `select pg_try_advisory_xact_lock(hashtextextended($1::text || ' ' || $2::text, 7216340553)) as taken`,
};

// An expired answer that was not swept yet is replaced.
const keepAnswer = {
  name: 'idempotency.keep_answer',
  text: `
    insert into idempotency.kept_answer (account_id, key, fingerprint, status, location, sealed_body, created_at)
    values ($1, $2, $3, $4, $5, $6, $7)
    on conflict (account_id, key) do update set
      fingerprint = excluded.fingerprint, status = excluded.status, location = excluded.location,
      sealed_body = excluded.sealed_body, created_at = excluded.created_at`,
};

const contextOf = (accountId: string, key: string): string => `${accountId} ${key}`;

/** Answers kept at or before this moment count no more. */
export const expiryOf = (now: Date, windowHours: number): Date =>
  new Date(now.getTime() - windowHours * 3_600_000);
