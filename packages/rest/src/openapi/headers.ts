import type { Header, JsonSchema, Reference } from './document.ts';

const count = (minimum: number): JsonSchema => ({ type: 'integer', minimum });
const text = (limits: JsonSchema = {}): JsonSchema => ({ type: 'string', ...limits });

/** A header that answers always have. */
const always = (description: string, schema: JsonSchema): Header => ({ description, required: true, schema });

/** The headers of answers, by the names of their references. An answer without a `required` header is a fault. */
export const headers: Record<string, Header> = {
  'X-Request-Id': always(
    'Identifies the request. If you sent a well-formed `X-Request-Id`, its value is repeated.',
    text(),
  ),
  'X-RateLimit-Limit': always('The number of requests that the account may make in a window.', count(1)),
  'X-RateLimit-Remaining': always('The number of requests that are left in this window.', count(0)),
  'X-RateLimit-Reset': always('The start of the next window, in Unix seconds.', count(0)),
  'Retry-After': always('The number of seconds to wait before a retry.', count(1)),
  'WWW-Authenticate': always('The authentication scheme.', text({ const: 'Bearer' })),
  Location: always('The path of the created object.', text({ format: 'uri-reference' })),
  ETag: always(
    'Identifies this state of the answer. Send it as `If-None-Match` in the next read. Send that of a record as `If-Match` with ' +
      'a change: the part before the dot is the version of the record.',
    text({ pattern: '^(W/)?"[^"]+"$' }),
  ),
  'Cache-Control': always(
    'A private cache may store the answer, and must revalidate it before each use.',
    text({ const: 'private, no-cache' }),
  ),
  Link: {
    description:
      '`<url>; rel="next"` is the next page, `rel="successor-version"` the successor of a deprecated operation.',
    schema: text(),
  },
  Deprecation: {
    description: 'The start of the deprecation, as `@` and Unix seconds (RFC 9745).',
    schema: text({ pattern: String.raw`^@\d+$` }),
  },
  Sunset: { description: 'The end of the operation, as an HTTP date (RFC 8594).', schema: text() },
  'Idempotent-Replayed': {
    description: '`true` for the kept answer of an earlier request with the same `Idempotency-Key`.',
    schema: text({ const: 'true' }),
  },
};

export const headerReferences = (...names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers that an answer need not have. */
export const optionalHeaders = (...names: string[]): Record<string, Header> =>
  Object.fromEntries(names.map((name) => [name, { ...headers[name]!, required: false }]));

const rateHeaders = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'];

/** The headers of every authenticated answer. */
export const authenticatedHeaders = headerReferences('X-Request-Id', ...rateHeaders);

/** The headers of an answer that a fault may have kept from being admitted. */
export const faultHeaders = { ...headerReferences('X-Request-Id'), ...optionalHeaders(...rateHeaders) };
