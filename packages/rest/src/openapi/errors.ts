import { AppError, type ErrorCatalogue, type Issue } from '@service/errors';
import type { Route } from '../route-table.ts';
import { errorToAnswer } from '../answer.ts';
import { json, type JsonSchema, type Response, type Reference } from './document.ts';
import { authenticatedHeaders, headerReferences, optionalHeader } from './headers.ts';

export const errorSchema: JsonSchema = {
  type: 'object',
  description: 'Why a request was refused.',
  required: ['code', 'message', 'requestId', 'docUrl'],
  properties: {
    code: {
      type: 'string',
      pattern: '^[a-z][a-z0-9_]*$',
      description: 'Stable, for programs. The list is below "Errors"; it can grow.',
    },
    message: { type: 'string', description: 'A sentence for people; its wording can change.' },
    issues: {
      type: 'array',
      description: 'Every problem of the input.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: {
          path: { type: 'string', description: '`email`, `eventTypes.0`, `query.limit` or `body`.' },
          message: { type: 'string' },
        },
      },
    },
    details: { type: 'object', description: 'Facts a program can use.', additionalProperties: true },
    requestId: { type: 'string', description: 'The same as `X-Request-Id`.' },
    docUrl: { type: 'string', format: 'uri', description: 'What the code means.' },
  },
};

const requestId = '019aa1c2-7d3e-7c41-9a57-2f0c5d9b8e14';

const sampleIssues: Record<string, Issue[]> = {
  validation_failed: [
    { path: 'email', message: 'Not an e-mail address.' },
    { path: 'colour', message: 'Unknown field.' },
  ],
  malformed_request: [{ path: 'cursor', message: 'Not a cursor of this list with these filters.' }],
};

interface ErrorOptions {
  errors: ErrorCatalogue;
  docsUrl: string;
}

/** The answers that look the same on every operation, by the names they are referred to. */
export function sharedErrorResponses(options: ErrorOptions): Record<string, Response> {
  const response = (description: string, codes: string[], headers: Response['headers']): Response => ({
    description,
    headers,
    content: { [json]: { schema: errorReference, examples: examplesOf(codes, options) } },
  });
  const replayable = { ...authenticatedHeaders, ...headerReferences('Idempotent-Replayed') };
  return {
    NotModified: {
      description: 'What you have, named by `If-None-Match`, is current. No body.',
      headers: { ...authenticatedHeaders, ...headerReferences('ETag', 'Cache-Control', 'Link') },
    },
    MalformedRead: response(
      'The query cannot be read: the cursor is not one of this list, of this account and of these filters.',
      ['malformed_request'],
      authenticatedHeaders,
    ),
    MalformedWrite: response(
      'The body is not a JSON object, or `Idempotency-Key` is malformed.',
      ['malformed_json', 'malformed_request', 'malformed_idempotency_key'],
      authenticatedHeaders,
    ),
    Unauthorized: response(
      'Invalid API key: missing, malformed, unknown, revoked, without this surface or without the scope. One answer for all.',
      ['invalid_api_key'],
      headerReferences('X-Request-Id', 'WWW-Authenticate'),
    ),
    Suspended: response(
      'The workspace of the key is suspended. Nothing was done.',
      ['account_suspended'],
      authenticatedHeaders,
    ),
    Conflict: response(
      'In conflict with the state of things, or with another request of the same `Idempotency-Key`.',
      ['idempotency_key_reused', 'idempotency_in_progress'],
      { ...replayable, ...optionalHeader('Retry-After') },
    ),
    TooLarge: response('The body is larger than 1 MiB.', ['body_too_large'], authenticatedHeaders),
    UnsupportedMediaType: response(
      'The body is not `application/json` in UTF-8 without an encoding.',
      ['unsupported_media_type'],
      authenticatedHeaders,
    ),
    RefusedQuery: response(
      'A query parameter was refused; `issues` names every problem.',
      ['validation_failed'],
      authenticatedHeaders,
    ),
    Refused: response(
      'Well-formed, but refused; `issues` names every problem.',
      ['validation_failed'],
      replayable,
    ),
    RateLimited: response('The account has used up its window.', ['rate_limited'], {
      ...authenticatedHeaders,
      ...headerReferences('Retry-After'),
    }),
    RateLimitedWrite: response(
      'The account has used up its window, or the storage of answers for `Idempotency-Key`.',
      ['rate_limited', 'idempotency_storage_full'],
      {
        ...authenticatedHeaders,
        ...headerReferences('Retry-After'),
      },
    ),
    Unavailable: response(
      'Not possible at the moment; send it again after `Retry-After`, a write with the same `Idempotency-Key`.',
      ['service_busy', 'service_unavailable', 'writes_unavailable', 'outcome_unknown'],
      {
        ...headerReferences('X-Request-Id', 'Retry-After'),
        ...optionalHeader('X-RateLimit-Limit'),
        ...optionalHeader('X-RateLimit-Remaining'),
        ...optionalHeader('X-RateLimit-Reset'),
      },
    ),
    InternalError: response(
      'Our fault; safe to send again with the same `Idempotency-Key`.',
      ['internal_error'],
      {
        ...headerReferences('X-Request-Id'),
        ...optionalHeader('X-RateLimit-Limit'),
        ...optionalHeader('X-RateLimit-Remaining'),
        ...optionalHeader('X-RateLimit-Reset'),
      },
    ),
  };
}

const errorReference = { $ref: '#/components/schemas/Error' };

/** The refusals one operation can answer, by status. */
export function errorResponsesOf(route: Route, options: ErrorOptions): Record<string, Response | Reference> {
  const shared = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });
  const isWrite = route.type === 'mutation';
  return {
    ...(isWrite && { 400: shared('MalformedWrite') }),
    ...(!isWrite && 'cursor' in route.input.shape && { 400: shared('MalformedRead') }),
    401: shared('Unauthorized'),
    403: shared('Suspended'),
    ...(route.pathParameters.length > 0 && { 404: notFound(route, options) }),
    ...(isWrite && { 409: shared('Conflict'), 413: shared('TooLarge'), 415: shared('UnsupportedMediaType') }),
    // Also where there is no field: a field or a query parameter that is not known is refused by name.
    422: shared(isWrite ? 'Refused' : 'RefusedQuery'),
    429: shared(isWrite ? 'RateLimitedWrite' : 'RateLimited'),
    500: shared('InternalError'),
    503: shared('Unavailable'),
  };
}

/** The codes are those of the ids in the path: `webhookId` can be answered with `webhook_not_found`. */
function notFound({ pathParameters, type }: Route, options: ErrorOptions): Response {
  const codes = pathParameters.map((name) => `${snakeCase(name.replace(/Id$/, ''))}_not_found`);
  return {
    description: 'Not there, archived, or of another workspace: one answer for all.',
    headers: {
      ...authenticatedHeaders,
      ...(type === 'mutation' && headerReferences('Idempotent-Replayed')),
    },
    content: {
      [json]: { schema: errorReference, examples: examplesOf([...codes, 'not_found'], options) },
    },
  };
}

function examplesOf(codes: readonly string[], { errors, docsUrl }: ErrorOptions) {
  const known = codes.filter((code) => code in errors);
  return Object.fromEntries(
    known.map((code) => {
      const error = new AppError(code, errors[code]!, { issues: sampleIssues[code] });
      return [
        code,
        { summary: errors[code]!.message, value: errorToAnswer(error, { requestId, docsUrl }).body },
      ];
    }),
  );
}

const snakeCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
