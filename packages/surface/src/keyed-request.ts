// Writes with an idempotency key. The module `idempotency` keeps their answers.
import { hash } from 'node:crypto';
import type { AccountReader, AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { KeptAnswer } from '@service/trpc';

/** A write with an idempotency key. */
export interface KeyedRequest {
  /** 1 to 255 visible ASCII characters, unique within an account. */
  key: string;
  /** SHA-256 of the request. */
  fingerprint: Buffer;
}

/** The kept answers, shared by all processes and surfaces. */
export interface AnswerStore {
  /** Finds an earlier answer without a lock, so that a repeated request costs little. Throws idempotency_key_reused, idempotency_answer_erased. */
  find(reader: Omit<AccountReader, 'em'>, request: KeyedRequest): Promise<KeptAnswer | undefined>;
  /**
   * Locks the key until the transaction ends, and finds the answer of a request that ended in the meantime. Throws
   * idempotency_in_progress when another transaction has locked the key, idempotency_key_reused, idempotency_storage_full.
   */
  claim(tx: AccountWriter, request: KeyedRequest): Promise<KeptAnswer | undefined>;
  /** Keeps the answer of a claimed request, in the transaction of its work. */
  keep(tx: AccountWriter, request: KeyedRequest, answer: KeptAnswer): void;
}

/**
 * An idempotency key with the fingerprint of its request: `target` is what the request names, such as method and path, and `body`
 * its fields. A key in double quotes (draft-ietf-httpapi-idempotency-key-header) equals the key without them. Throws
 * malformed_idempotency_key.
 */
export function toKeyedRequest(
  given: string,
  target: readonly unknown[],
  body: Record<string, unknown>,
): KeyedRequest {
  const key = given.replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw commonErrors.malformed_idempotency_key();
  return { key, fingerprint: hash('sha256', JSON.stringify([...target, canonical(body)]), 'buffer') };
}

/**
 * The same value with the members of its objects in one order, because a client may order them differently in a retry. An object
 * becomes a list of its members. A list that looks like such an object is wrapped. Other lists are not changed: a retry after an
 * upgrade must have the fingerprint of its first request.
 */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) {
    const items = value.map(canonical);
    return items.every(isMember) ? { list: items } : items;
  }
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)]);
}

const isMember = (item: unknown): boolean =>
  Array.isArray(item) && item.length === 2 && typeof item[0] === 'string';
