// One error class for everything a caller may be told; each module lists its codes once in a catalogue.

export { httpStatusByKind } from './http-status.ts';

/** What kind of refusal it is. */
export type ErrorKind =
  | 'malformed'
  | 'unauthenticated'
  | 'forbidden'
  | 'not_found'
  | 'gone'
  | 'conflict'
  | 'method_not_allowed'
  | 'timeout'
  | 'too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'rate_limited'
  | 'headers_too_large'
  | 'internal'
  | 'unavailable';

/** One thing that is wrong with the input: where (`eventTypes.0`, `body`, `query.limit`) and what. */
export interface Issue {
  path: string;
  message: string;
}

interface ErrorDetails {
  issues?: Issue[];
  cause?: unknown;
  /** Facts a machine can use, for example the nearest free session times. Public. */
  details?: Record<string, unknown>;
  /** When it is worth asking again: whole seconds, at least 1. */
  retryAfterSeconds?: number;
}

/** A refusal with a public message. Everything else that is thrown is answered "Internal server error". */
export class AppError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  readonly issues: Issue[] | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(code: string, definition: ErrorDefinition, extra: ErrorDetails = {}) {
    super(definition.message, { cause: extra.cause });
    this.name = 'AppError';
    this.code = code;
    this.kind = definition.kind;
    this.issues = extra.issues;
    this.details = extra.details;
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }
}

export interface ErrorDefinition {
  kind: ErrorKind;
  message: string;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorDefinition>>;

/** Turns a catalogue into one constructor per code: `errors.webinar_not_found()`. */
export function defineErrors<const Catalogue extends ErrorCatalogue>(
  catalogue: Catalogue,
): { [Code in keyof Catalogue]: (extra?: ErrorDetails) => AppError } & { catalogue: Catalogue } {
  const constructors = Object.entries(catalogue).map(([code, definition]) => [
    code,
    (extra?: ErrorDetails) => new AppError(code, definition, extra),
  ]);
  return { ...Object.fromEntries(constructors), catalogue };
}

/** The codes any route can answer with. Modules add their own beside them. */
export const commonErrors = defineErrors({
  malformed_json: { kind: 'malformed', message: 'The body is not valid JSON.' },
  malformed_request: { kind: 'malformed', message: 'The request is not well-formed.' },
  invalid_api_key: { kind: 'unauthenticated', message: 'Invalid API key' },
  sign_in_required: { kind: 'unauthenticated', message: 'Sign in to continue.' },
  owner_required: { kind: 'forbidden', message: 'Only an owner of the workspace may do this.' },
  account_suspended: {
    kind: 'forbidden',
    message: 'This workspace is suspended. Contact the operator of the service.',
  },
  not_found: { kind: 'not_found', message: 'Not found.' },
  method_not_allowed: { kind: 'method_not_allowed', message: 'This path does not take that method.' },
  body_too_large: { kind: 'too_large', message: 'The body is too large.' },
  unsupported_media_type: {
    kind: 'unsupported_media_type',
    message: 'Send JSON with Content-Type: application/json.',
  },
  malformed_idempotency_key: {
    kind: 'malformed',
    message: 'An Idempotency-Key is 1 to 255 visible ASCII characters.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    message: 'A request with this Idempotency-Key is still being processed. Retry shortly.',
  },
  idempotency_key_reused: {
    kind: 'conflict',
    message: 'This Idempotency-Key was used for another request. Use a new key for a new write.',
  },
  idempotency_storage_full: {
    kind: 'rate_limited',
    message:
      'The account keeps 256 MB of answers for its Idempotency-Keys. Send writes without the header, or retry after Retry-After seconds.',
  },
  rate_limited: {
    kind: 'rate_limited',
    message: 'The account has used up its requests of this window. Retry after Retry-After seconds.',
  },
  request_timeout: { kind: 'timeout', message: 'The request did not arrive in time.' },
  headers_too_large: {
    kind: 'headers_too_large',
    message: 'The request line and the headers are larger than 16 KB.',
  },
  validation_failed: { kind: 'invalid', message: 'Some values were refused.' },
  writes_unavailable: {
    kind: 'unavailable',
    message: 'The service can read but not save at the moment. Retry after Retry-After seconds.',
  },
  batch_too_large: {
    kind: 'too_large',
    message: 'A batch has at most 20 calls. Split it into smaller ones.',
  },
  too_many_calls: {
    kind: 'rate_limited',
    message: 'The dashboard made too many calls in this minute. Retry after Retry-After seconds.',
  },
  service_busy: {
    kind: 'unavailable',
    message: 'The service is busy with other calls of this account. Retry after Retry-After seconds.',
  },
  service_unavailable: {
    kind: 'unavailable',
    message: 'The service cannot reach its database. Retry after Retry-After seconds.',
  },
  outcome_unknown: {
    kind: 'unavailable',
    message:
      'The connection to the database was lost while the change was being saved, so it may or may not have been saved. ' +
      'Read the record before you send the request again, or repeat it with the same Idempotency-Key.',
  },
  internal_error: { kind: 'internal', message: 'Internal server error' },
});
