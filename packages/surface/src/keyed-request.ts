// Writes with an idempotency key. The module `idempotency` keeps their answers.
import { hash } from 'node:crypto';
import type { AccountReader } from '@service/database';
import { commonErrors } from '@service/errors';
import type { KeptAnswer, KeyClaims, KeyedRequest } from '@service/trpc';

/** The kept answers, shared by all processes and surfaces. */
export interface AnswerStore extends KeyClaims {
  /** Finds an earlier answer without a lock, so that a repeated request costs little. Throws idempotency_key_reused, idempotency_answer_erased. */
  find(
    caller: Pick<AccountReader, 'accountId' | 'now'>,
    request: KeyedRequest,
  ): Promise<KeptAnswer | undefined>;
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
