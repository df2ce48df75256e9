// One error class for all refusals with a public message. Each module lists its codes in one catalogue.

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
  precondition_failed: 412,
  too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  headers_too_large: 431,
  internal: 500,
  unavailable: 503,
} as const;

/** The kind of a refusal. It decides the HTTP status. */
export type ErrorKind = keyof typeof httpStatusByKind;

/** A problem of the input, with the path of its field or query parameter: `eventTypes.0`, `limit`. `body` for the whole. */
export interface Issue {
  path: string;
  message: string;
}

/** Problems in one answer at most: a body of a megabyte can have a hundred thousand. */
export const issuesMax = 100;

interface ErrorDetails {
  issues?: Issue[];
  cause?: unknown;
  /** Public facts for programs, for example the nearest free session times. */
  details?: Record<string, unknown>;
  /** The current record, for a caller whose edit began with an earlier version of it. */
  data?: object;
  /** The wait before a retry, in whole seconds, at least 1. */
  retryAfterSeconds?: number;
  /** The `WWW-Authenticate` header of the answer, when it is not `Bearer` or nothing. */
  challenge?: string;
}

/** A refusal with a public message. Every other error is answered "Internal server error". */
export class AppError extends Error {
  readonly code: string;
  readonly kind: ErrorKind;
  /** The sentence for a page of the browser. A temporary refusal names the wait instead of a header. */
  readonly pageMessage: string;
  readonly issues: Issue[] | undefined;
  readonly details: Record<string, unknown> | undefined;
  readonly data: object | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly challenge: string | undefined;

  constructor(code: string, definition: ErrorDefinition, extra: ErrorDetails = {}) {
    // Only faults of the service are logged with their stack, and a stack costs more than the rest of a refusal.
    const { stackTraceLimit } = Error;
    if (definition.kind !== 'internal') Error.stackTraceLimit = 0;
    super(definition.message, { cause: extra.cause });
    Error.stackTraceLimit = stackTraceLimit;
    this.name = 'AppError';
    this.code = code;
    this.kind = definition.kind;
    this.pageMessage = pageMessageOf(definition, extra.retryAfterSeconds);
    this.issues = extra.issues;
    this.details = extra.details;
    this.data = extra.data;
    this.retryAfterSeconds = extra.retryAfterSeconds;
    this.challenge = extra.challenge;
  }
}

export interface ErrorDefinition {
  kind: ErrorKind;
  /** In answers of the API, and in its reference. */
  message: string;
  /** On pages of the browser, before "Try again in 5 seconds." Without it they show `message`. */
  pageMessage?: string;
  /** The next step of the caller, for the documentation: one sentence of Markdown. Codes that only the dashboard gets have none. */
  remedy?: string;
}

function pageMessageOf({ message, pageMessage }: ErrorDefinition, waitSeconds: number | undefined): string {
  if (pageMessage === undefined || waitSeconds === undefined) return message;
  return `${pageMessage} Try again in ${waitSeconds} ${waitSeconds === 1 ? 'second' : 'seconds'}.`;
}

export type ErrorCatalogue = Readonly<Record<string, ErrorDefinition>>;

/** The codes that the documentation shows. */
export type DocumentedErrors = Readonly<Record<string, ErrorDefinition & { remedy: string }>>;

/** Makes a constructor for each code of a catalogue: `errors.webinar_not_found()`. */
export function defineErrors<const Catalogue extends ErrorCatalogue>(
  catalogue: Catalogue,
): { [Code in keyof Catalogue]: (extra?: ErrorDetails) => AppError } & { catalogue: Catalogue } {
  const constructors = Object.entries(catalogue).map(([code, definition]) => [
    code,
    (extra?: ErrorDetails) => new AppError(code, definition, extra),
  ]);
  return { ...Object.fromEntries(constructors), catalogue };
}

/** One catalogue of several. Throws at start when two of them define the same code. */
export function joinCatalogues(catalogues: readonly DocumentedErrors[]): DocumentedErrors {
  const codes = catalogues.flatMap((catalogue) => Object.keys(catalogue));
  const twice = codes.find((code, index) => codes.indexOf(code) !== index);
  if (twice !== undefined) throw new Error(`Two catalogues define the error code ${twice}`);
  return Object.assign({}, ...catalogues) as DocumentedErrors;
}

/** The codes that any route can answer. Modules add their own. */
export const commonErrors = defineErrors({
  malformed_json: {
    kind: 'malformed',
    message: 'The body is not valid JSON.',
    remedy:
      'Send one JSON object in UTF-8; print the body before you send it, because quotes of a shell often break it.',
  },
  malformed_request: {
    kind: 'malformed',
    message: 'The request is not well-formed.',
    remedy:
      'Correct what `issues` names: a cursor belongs to its list and filters, and paths, headers and parameters have the form that the reference shows.',
  },
  invalid_api_key: {
    kind: 'unauthenticated',
    message: 'Invalid API key',
    remedy:
      'Send `Authorization: Bearer <API key>` with a key that is not revoked or expired, has the surface of the call, and has the scope that the operation names.',
  },
  invalid_access_token: {
    kind: 'unauthenticated',
    message: 'The access token is missing, invalid or expired. Refresh it, or connect again.',
    remedy: 'Refresh the token with its refresh token; if that is refused too, connect the client again.',
  },
  insufficient_scope: {
    kind: 'forbidden',
    message: 'The connector was not granted a scope that this tool needs. Connect again to grant it.',
    remedy: 'Connect the client again and grant the scopes that `details.scopes` names.',
  },
  forbidden_origin: {
    kind: 'forbidden',
    message: 'Pages of this origin may not call the MCP server.',
    remedy:
      'Call the MCP server from a program, or ask the operator to add the origin to `CORS_ALLOWED_ORIGINS`.',
  },
  sign_in_required: {
    kind: 'unauthenticated',
    message: 'Sign in to continue.',
    remedy: 'Sign in to the dashboard again, then repeat the action.',
  },
  owner_required: {
    kind: 'forbidden',
    message: 'Only an owner of the workspace may do this.',
    remedy: 'Ask an owner of the workspace, whom the dashboard lists under Members.',
  },
  account_suspended: {
    kind: 'forbidden',
    message: 'This workspace is suspended. Contact the operator of the service.',
    remedy:
      'Ask the operator of the service to resume the workspace; the same keys and webhooks work again afterwards.',
  },
  not_found: {
    kind: 'not_found',
    message: 'Not found.',
    remedy: 'Compare the path with the reference: paths are lower-case and begin with /api/v1.',
  },
  method_not_allowed: {
    kind: 'method_not_allowed',
    message: 'This path does not support the method.',
    remedy: 'Use one of the methods that the header `Allow` names.',
  },
  body_too_large: {
    kind: 'too_large',
    message: 'The body is too large.',
    remedy: 'Send less at once, for example bulk registrations in several calls.',
  },
  unsupported_media_type: {
    kind: 'unsupported_media_type',
    message: 'Send JSON with Content-Type: application/json.',
    remedy: 'Set `Content-Type: application/json` and send the body uncompressed.',
  },
  malformed_idempotency_key: {
    kind: 'malformed',
    message: 'An Idempotency-Key is 1 to 255 visible ASCII characters.',
    remedy: 'Send a UUID or an id of your own as the key.',
  },
  idempotency_in_progress: {
    kind: 'conflict',
    message: 'A request with this Idempotency-Key is still being processed. Retry shortly.',
    remedy: 'Wait for the seconds of `Retry-After` and send the same request with the same key again.',
  },
  idempotency_key_reused: {
    kind: 'conflict',
    message: 'This Idempotency-Key was used for another request. Use a new key for a new write.',
    remedy: 'Give each write a key of its own, and keep the body of a retry exactly as it was.',
  },
  idempotency_answer_erased: {
    kind: 'conflict',
    message:
      'A request with this Idempotency-Key was made before. Its answer was erased together with a person, and the request is not repeated.',
    remedy: 'Do not repeat the request; read the record if you need to know its present state.',
  },
  idempotency_storage_full: {
    kind: 'rate_limited',
    message:
      'The account has used its 256 MB for answers to Idempotency-Keys. Send the write without the header, or retry after Retry-After seconds.',
    remedy: 'Send the write without the header, or wait: answers are deleted when their time has passed.',
  },
  rate_limited: {
    kind: 'rate_limited',
    message: 'The account has used all requests of this window. Retry after Retry-After seconds.',
    remedy: 'Wait for the seconds of `Retry-After`, then go on more slowly; use webhooks instead of polling.',
  },
  precondition_failed: {
    kind: 'precondition_failed',
    message:
      'The record has changed since the version in If-Match. Nothing was saved. The current record is in data.',
    remedy: 'Apply your change to the record in `data` and send it with the new `ETag` as `If-Match`.',
  },
  request_timeout: {
    kind: 'timeout',
    message: 'The request did not arrive in time.',
    remedy: 'Send the whole request without pauses, on a new connection.',
  },
  headers_too_large: {
    kind: 'headers_too_large',
    message: 'The request line and the headers are larger than 16 KB.',
    remedy: 'Send fewer or shorter headers and query parameters; cookies are not needed.',
  },
  validation_failed: {
    kind: 'invalid',
    message: 'Some values were refused.',
    remedy: 'Correct each field that `issues` names by its path, then send the request again.',
  },
  writes_unavailable: {
    kind: 'unavailable',
    message: 'The service can read, but it cannot save at the moment. Retry after Retry-After seconds.',
    pageMessage: 'The service cannot save at the moment.',
    remedy: 'Wait for the seconds of `Retry-After` and send the write again with the same `Idempotency-Key`.',
  },
  batch_too_large: {
    kind: 'too_large',
    message: 'A batch may have at most 20 calls. Send several smaller batches.',
    remedy: 'Split the batch into several with at most 20 calls each.',
  },
  too_many_calls: {
    kind: 'rate_limited',
    message: 'The dashboard made too many calls in this minute. Retry after Retry-After seconds.',
    pageMessage: 'Too many requests in a short time.',
    remedy: 'Close other tabs of the dashboard, and wait for the seconds of `Retry-After`.',
  },
  export_in_progress: {
    kind: 'rate_limited',
    message: 'The workspace has two exports in progress. Retry after Retry-After seconds.',
    remedy: 'Wait until one of the two exports has ended, then start this one.',
  },
  service_busy: {
    kind: 'unavailable',
    message: 'The service is busy with other calls of this account. Retry after Retry-After seconds.',
    pageMessage: 'The workspace has too many requests in progress.',
    remedy: 'Make fewer calls at the same time, and repeat this one after the seconds of `Retry-After`.',
  },
  query_timeout: {
    kind: 'unavailable',
    message: 'Reading took too long. Ask for less, or retry after Retry-After seconds.',
    pageMessage: 'Reading took too long.',
    remedy: 'Narrow the filters or the time range, or ask for a smaller page.',
  },
  service_unavailable: {
    kind: 'unavailable',
    message: 'The service cannot reach its database. Retry after Retry-After seconds.',
    pageMessage: 'The service is not available at the moment.',
    remedy:
      'Wait for the seconds of `Retry-After` and repeat the call, a write with the same `Idempotency-Key`.',
  },
  outcome_unknown: {
    kind: 'unavailable',
    message:
      'The connection to the database was lost while the change was being saved, so it may or may not have been saved. ' +
      'Read the record before you send the request again, or repeat it with the same Idempotency-Key.',
    remedy:
      'Repeat the write with the same `Idempotency-Key`, which never does it twice; without a key, read the record first.',
  },
  internal_error: {
    kind: 'internal',
    message: 'Internal server error',
    remedy:
      'Repeat the call once, a write with the same `Idempotency-Key`; if it fails again, send its `requestId` to the operator.',
  },
});

export type CommonErrorCode = keyof typeof commonErrors.catalogue;
