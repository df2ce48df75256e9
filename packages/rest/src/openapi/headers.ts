import type { Header, Reference } from './document.ts';
import protocol from './protocol.json' with { type: 'json' };

/** The headers of answers, by the names of their references. An answer without a `required` header is a fault. */
export const headers: Record<string, Header> = protocol.headers;

export const headerReferences = (...names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers that an answer need not have. */
export const optionalHeaders = (...names: string[]): Record<string, Header> =>
  Object.fromEntries(names.map((name) => [name, { ...headers[name]!, required: false }]));

/** The headers of every authenticated answer. */
export const authenticatedHeaders = headerReferences(
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
);
