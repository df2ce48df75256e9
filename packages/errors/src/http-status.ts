/** The HTTP status of each kind of refusal. */
export const httpStatusByKind = {
  malformed: 400,
  unauthenticated: 401,
  forbidden: 403,
  not_found: 404,
  method_not_allowed: 405,
  timeout: 408,
  conflict: 409,
  gone: 410,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const satisfies Readonly<Record<string, number>>;

/** The kind of a refusal. It decides the HTTP status. */
export type ErrorKind = keyof typeof httpStatusByKind;
