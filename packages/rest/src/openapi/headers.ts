import type { Header, Reference } from './document.ts';

/** The headers of answers, by the names of their references. An answer without a `required` header is a fault. */
export const headers: Record<string, Header> = {
  'X-Request-Id': {
    description: 'Identifies the request. If you sent a well-formed `X-Request-Id`, its value is repeated.',
    required: true,
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'The number of requests that the account may make in a window.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'The number of requests that are left in this window.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'The start of the next window, in Unix seconds.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'The number of seconds to wait before a retry.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'The authentication scheme.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  Location: {
    description: 'The path of the created object.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: {
    description:
      'Identifies this state of the answer. Send it as `If-None-Match` in the next read. Send that of a record as `If-Match` with ' +
      'a change: the part before the dot is the version of the record.',
    required: true,
    schema: { type: 'string', pattern: '^(W/)?"[^"]+"$' },
  },
  'Cache-Control': {
    description: 'A private cache may store the answer, and must revalidate it before each use.',
    required: true,
    schema: { type: 'string', const: 'private, no-cache' },
  },
  Link: {
    description:
      '`<url>; rel="next"` is the next page, `rel="successor-version"` the successor of a deprecated operation.',
    schema: { type: 'string' },
  },
  Deprecation: {
    description: 'The start of the deprecation, as `@` and Unix seconds (RFC 9745).',
    schema: { type: 'string', pattern: String.raw`^@\d+$` },
  },
  Sunset: {
    description: 'The end of the operation, as an HTTP date (RFC 8594).',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description: '`true` for the kept answer of an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
};

export const headerReferences = (...names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** The headers of every authenticated answer. */
export const authenticatedHeaders = headerReferences(
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
);

/** The header of a name as an optional one. */
export const optionalHeader = (name: string): Record<string, Header> => ({
  [name]: { ...headers[name]!, required: false },
});
