import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { commonErrors } from '@service/errors';
import type { KeyedRequest } from '@service/trpc';

/** The header's name in lower case, as node gives it. */
const headerName = 'idempotency-key';

/**
 * The key a write carries and what it is for; undefined when it carries none. A key in double quotes, as
 * draft-ietf-httpapi-idempotency-key-header asks for, is the same as the one without. Throws malformed_idempotency_key.
 */
export function keyedRequestOf(
  request: IncomingMessage,
  url: URL,
  body: Record<string, unknown>,
): KeyedRequest | undefined {
  const given = request.headers[headerName];
  if (given === undefined) return undefined;
  const key = String(given).replace(/^"(.*)"$/, '$1');
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw commonErrors.malformed_idempotency_key();
  const query = [...url.searchParams].map(([name, value]) => `${name}=${value}`).toSorted();
  const asked = [request.method, url.pathname, query, canonical(body)];
  return { key, fingerprint: hash('sha256', JSON.stringify(asked), 'buffer') };
}

/** The same value with the members of its objects in one order: clients that build a body anew may order them otherwise. */
function canonical(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(canonical);
  if (typeof value !== 'object' || value === null) return value;
  return Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, member]) => [name, canonical(member)]);
}
