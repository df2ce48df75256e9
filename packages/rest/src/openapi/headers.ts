import type { Header, Reference } from './document.ts';

/** Every header an answer can carry, referred to by its name. `required` is meant: an answer without it is a fault. */
export const headers: Record<string, Header> = {
  'X-Request-Id': {
    description: 'Identifies the request, here and in the log. Yours, if you sent a sane one.',
    required: true,
    schema: { type: 'string' },
  },
  'X-RateLimit-Limit': {
    description: 'How many requests the account may make in a window.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'X-RateLimit-Remaining': {
    description: 'How many are left in this window.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'X-RateLimit-Reset': {
    description: 'When the next window opens, in Unix seconds.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'Retry-After': {
    description: 'Seconds to wait before the next try.',
    required: true,
    schema: { type: 'integer', minimum: 1 },
  },
  'WWW-Authenticate': {
    description: 'How to authenticate.',
    required: true,
    schema: { type: 'string', const: 'Bearer' },
  },
  Location: {
    description: 'The path of what was created.',
    required: true,
    schema: { type: 'string', format: 'uri-reference' },
  },
  ETag: {
    description: 'Names this state of the answer; send it back as `If-None-Match`.',
    required: true,
    schema: { type: 'string', pattern: '^W/"[^"]+"$' },
  },
  'Cache-Control': {
    description: 'A cache of your own may keep it, and asks whether it is still current.',
    required: true,
    schema: { type: 'string', const: 'private, no-cache' },
  },
  Link: {
    description:
      'Where to go from here: `<url>; rel="next"` is the next page, `rel="successor-version"` what replaces this.',
    schema: { type: 'string' },
  },
  Deprecation: {
    description: 'Since when nobody should build on this operation, as `@` and Unix seconds (RFC 9745).',
    schema: { type: 'string', pattern: String.raw`^@\d+$` },
  },
  Sunset: {
    description: 'When the operation stops answering, as an HTTP date (RFC 8594).',
    schema: { type: 'string' },
  },
  'Idempotent-Replayed': {
    description:
      '`true` when this is the stored answer to an earlier request with the same `Idempotency-Key`.',
    schema: { type: 'string', const: 'true' },
  },
};

export const headerReferences = (...names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** On every answer to somebody who has been recognised. */
export const authenticatedHeaders = headerReferences(
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
);

/** The same header where it may be missing. */
export const optionalHeader = (name: string): Record<string, Header> => ({
  [name]: { ...headers[name]!, required: false },
});
