import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { commonErrors } from '@service/errors';
import type { KeyedRequest } from '@service/trpc';
import type { RequestTarget } from './route-table.ts';

/** The header's name in lower case, as node gives it. */
const headerName = 'idempotency-key';

/**
 * The idempotency key of a write with the fingerprint of its request; undefined without a key. A key in double quotes
 * (draft-ietf-httpapi-idempotency-key-header) equals the key without them. Throws malformed_idempotency_key.
 */
export function keyedRequestOf(
  request: IncomingMessage,
  url: RequestTarget,
  body: Record<string, unknown>,
): KeyedRequest | undefined {
  const given = request.headers[headerName];
  if (given === undefined) return undefined;
  const key = String(given).replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw commonErrors.malformed_idempotency_key();
  const query = [...url.searchParams].toSorted(([a], [b]) => (a < b ? -1 : 1));
  const content = [request.method, url.pathname, query, canonical(body)];
  return { key, fingerprint: hash('sha256', JSON.stringify(content), 'buffer') };
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
