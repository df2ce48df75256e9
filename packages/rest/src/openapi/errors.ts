import { AppError, type CommonErrorCode, type ErrorCatalogue, type Issue } from '@service/errors';
import { ErrorIssue } from '@service/trpc';
import { z } from 'zod';
import { isEdit, type Route } from '../route-table.ts';
import { errorToAnswer } from '../answer.ts';
import { json, refersTo, type Response, type Reference } from './document.ts';
import { authenticatedHeaders, headerReferences, optionalHeader } from './headers.ts';

/** The body of every refusal. */
export const ErrorAnswer = z
  .object({
    code: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/)
      .describe('Stable, for programs. The section "Errors" lists the codes. New codes can be added.'),
    message: z.string().describe('A sentence for people. Its wording can change.'),
    issues: z.array(ErrorIssue).optional().describe('Every problem of the input.'),
    details: z.looseObject({}).optional().describe('Further facts for programs.'),
    data: z.looseObject({}).optional().describe('The current record, only with `precondition_failed`.'),
    requestId: z.string().describe('The value of `X-Request-Id`.'),
    docUrl: z.url().describe('The documentation of the code.'),
  })
  .meta({ id: 'ErrorAnswer', description: 'The error of a refused request.' });

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

/** The error answers that operations share, by the names of their references. */
export function sharedErrorResponses(
  routes: readonly Route[],
  options: ErrorOptions,
): Record<string, Response> {
  const response = (
    description: string,
    codes: CommonErrorCode[],
    headers: Response['headers'],
  ): Response => ({
    description,
    headers,
    content: { [json]: { schema: errorReference, examples: examplesOf(codes, options) } },
  });
  const replayable = { ...authenticatedHeaders, ...headerReferences('Idempotent-Replayed') };
  return {
    NotModified: {
      description: 'The answer named by `If-None-Match` is current. No body.',
      headers: { ...authenticatedHeaders, ...headerReferences('ETag', 'Cache-Control', 'Link') },
    },
    MalformedRead: response(
      'The cursor is not valid for this list, account and filters.',
      ['malformed_request'],
      authenticatedHeaders,
    ),
    MalformedWrite: response(
      'The body is not a JSON object, or `Idempotency-Key` is malformed.',
      ['malformed_json', 'malformed_request', 'malformed_idempotency_key'],
      authenticatedHeaders,
    ),
    Unauthorized: response(
      'The API key is missing, malformed, unknown or revoked, or it lacks this surface or the scope. All cases have the same answer.',
      ['invalid_api_key'],
      headerReferences('X-Request-Id', 'WWW-Authenticate'),
    ),
    Suspended: response(
      'The workspace of the key is suspended. Nothing was changed.',
      ['account_suspended'],
      authenticatedHeaders,
    ),
    Conflict: response(
      'The request conflicts with the present state, or with another request with the same `Idempotency-Key`.',
      ['idempotency_key_reused', 'idempotency_in_progress'],
      { ...replayable, ...optionalHeader('Retry-After') },
    ),
    PreconditionFailed: response(
      'The record was edited since the version in `If-Match`. Nothing was changed. `data` is the current record, `ETag` its version.',
      ['precondition_failed'],
      { ...replayable, ...headerReferences('ETag') },
    ),
    TooLarge: response('The body is larger than 1 MiB.', ['body_too_large'], authenticatedHeaders),
    UnsupportedMediaType: response(
      'The body is not `application/json` in UTF-8, or it has a `Content-Encoding`.',
      ['unsupported_media_type'],
      authenticatedHeaders,
    ),
    RefusedQuery: response(
      'A query parameter was refused. `issues` names every problem.',
      ['validation_failed'],
      authenticatedHeaders,
    ),
    Refused: response(
      'Some values were refused. `issues` names every problem.',
      ['validation_failed'],
      replayable,
    ),
    RateLimited: response('The account has used all requests of its window.', ['rate_limited'], {
      ...authenticatedHeaders,
      ...headerReferences('Retry-After'),
    }),
    RateLimitedWrite: response(
      'The account has used all requests of its window, or all storage for answers of `Idempotency-Key`.',
      ['rate_limited', 'idempotency_storage_full'],
      {
        ...authenticatedHeaders,
        ...headerReferences('Retry-After'),
      },
    ),
    Unavailable: response(
      'Temporarily unavailable. Retry after `Retry-After` seconds, a write with the same `Idempotency-Key`.',
      ['service_busy', 'query_timeout', 'service_unavailable', 'writes_unavailable', 'outcome_unknown'],
      {
        ...headerReferences('X-Request-Id', 'Retry-After'),
        ...optionalHeader('X-RateLimit-Limit'),
        ...optionalHeader('X-RateLimit-Remaining'),
        ...optionalHeader('X-RateLimit-Reset'),
      },
    ),
    InternalError: response(
      'An error of the service. Retry with the same `Idempotency-Key`.',
      ['internal_error'],
      {
        ...headerReferences('X-Request-Id'),
        ...optionalHeader('X-RateLimit-Limit'),
        ...optionalHeader('X-RateLimit-Remaining'),
        ...optionalHeader('X-RateLimit-Reset'),
      },
    ),
    ...Object.fromEntries(
      routes
        .filter(({ pathParameters }) => pathParameters.length > 0)
        .map((route) => [notFoundName(route), notFound(route, options)]),
    ),
  };
}

const errorReference = refersTo('ErrorAnswer');

/** The error answers of one operation, by status. */
export function errorResponsesOf(route: Route): Record<string, Reference> {
  const shared = (name: string): Reference => ({ $ref: `#/components/responses/${name}` });
  const isWrite = route.type === 'mutation';
  return {
    ...(isWrite && { 400: shared('MalformedWrite') }),
    ...(!isWrite && 'cursor' in route.input.shape && { 400: shared('MalformedRead') }),
    401: shared('Unauthorized'),
    403: shared('Suspended'),
    ...(route.pathParameters.length > 0 && { 404: shared(notFoundName(route)) }),
    ...(isEdit(route) && { 412: shared('PreconditionFailed') }),
    ...(isWrite && { 409: shared('Conflict'), 413: shared('TooLarge'), 415: shared('UnsupportedMediaType') }),
    // Also without fields: an unknown field or query parameter is refused by name.
    422: shared(isWrite ? 'Refused' : 'RefusedQuery'),
    429: shared(isWrite ? 'RateLimitedWrite' : 'RateLimited'),
    500: shared('InternalError'),
    503: shared('Unavailable'),
  };
}

/** `WebinarSessionNotFound` for a read of `/webinars/{webinarId}/sessions/{sessionId}`, with the suffix `Write` for a write. */
function notFoundName({ pathParameters, type }: Route): string {
  const nouns = pathParameters.map((name) => name[0]!.toUpperCase() + name.slice(1).replace(/Id$/, ''));
  return `${nouns.join('')}NotFound${type === 'mutation' ? 'Write' : ''}`;
}

/** The codes follow from the ids in the path: for `webhookId` the code is `webhook_not_found`. */
function notFound({ pathParameters, type }: Route, options: ErrorOptions): Response {
  const codes = pathParameters.map((name) => `${snakeCase(name.replace(/Id$/, ''))}_not_found`);
  return {
    description:
      'The object does not exist, is archived, or belongs to another workspace. All cases have the same answer.',
    headers: {
      ...authenticatedHeaders,
      ...(type === 'mutation' && headerReferences('Idempotent-Replayed')),
    },
    content: {
      [json]: { schema: errorReference, examples: examplesOf([...codes, 'not_found'], options) },
    },
  };
}

/** Throws for a code that no catalogue defines, for example because a path parameter has no not-found code. */
function examplesOf(codes: readonly string[], { errors, docsUrl }: ErrorOptions) {
  return Object.fromEntries(
    codes.map((code) => {
      const definition = errors[code];
      if (!definition) throw new Error(`No catalogue defines the error code ${code}`);
      const error = new AppError(code, definition, { issues: sampleIssues[code] });
      return [
        code,
        { summary: definition.message, value: errorToAnswer(error, { requestId, docsUrl }).body },
      ];
    }),
  );
}

const snakeCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
