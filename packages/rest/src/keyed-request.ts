import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { commonErrors } from '@service/errors';
import type { KeyedRequest } from '@service/trpc';
import type { RequestTarget } from './request-target.ts';

/** The header's name in lower case, as node gives it. */
const headerName = 'idempotency-key';

/**
 * The key a write carries and what it is for; undefined when it carries none. A key in double quotes, as
 * draft-ietf-httpapi-idempotency-key-header asks for, is the same as the one without. Throws malformed_idempotency_key.
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
  const asked = [request.method, url.pathname, query, canonical(body)];
  return { key, fingerprint: hash('sha256', JSON.stringify(asked), 'buffer') };
}

/**
 * The same value with the members of its objects in one order: clients that build a body anew may order them otherwise. An
 * object becomes a list of its members. A list that could be taken for such an object is wrapped, which no object ever is.
 * Other lists stay as they are, so that a retry whose first request came before an upgrade still has the same fingerprint.
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
