import { AppError, type CommonErrorCode, type ErrorCatalogue, type Issue } from '@service/errors';
import { ErrorIssue } from '@service/trpc';
import { z } from 'zod';
import { isEdit, type Route } from '../route-table.ts';
import { errorToAnswer } from '../answer.ts';
import { json, refersTo, type Response, type Reference } from './document.ts';
import { authenticatedHeaders, faultHeaders, headerReferences, optionalHeaders } from './headers.ts';

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

const replayable = { ...authenticatedHeaders, ...headerReferences('Idempotent-Replayed') };
const withRetry = { ...authenticatedHeaders, ...headerReferences('Retry-After') };

/** The error answers that operations share, by the names of their references. */
export function sharedErrorResponses(
  routes: readonly Route[],
  options: ErrorOptions,
): Record<string, Response> {
  const refusal = (
    description: string,
    codes: readonly CommonErrorCode[],
    headers: Response['headers'] = authenticatedHeaders,
  ): Response => refusalOf({ description, codes, headers }, options);
  return {
    NotModified: {
      description: 'The answer named by `If-None-Match` is current. No body.',
      headers: { ...authenticatedHeaders, ...headerReferences('ETag', 'Cache-Control', 'Link') },
    },
    MalformedRead: refusal('The cursor is not valid for this list, account and filters.', [
      'malformed_request',
    ]),
    MalformedWrite: refusal('The body is not a JSON object, or `Idempotency-Key` is malformed.', [
      'malformed_json',
      'malformed_request',
      'malformed_idempotency_key',
    ]),
    Unauthorized: refusal(
      'The API key is missing, malformed, unknown or revoked, or it lacks this surface or the scope. All cases have the same answer.',
      ['invalid_api_key'],
      headerReferences('X-Request-Id', 'WWW-Authenticate'),
    ),
    Suspended: refusal('The workspace of the key is suspended. Nothing was changed.', ['account_suspended']),
    Conflict: refusal(
      'The request conflicts with the present state, or with another request with the same `Idempotency-Key`.',
      ['idempotency_key_reused', 'idempotency_in_progress'],
      { ...replayable, ...optionalHeaders('Retry-After') },
    ),
    PreconditionFailed: refusal(
      'The record was edited since the version in `If-Match`. Nothing was changed. `data` is the current record, `ETag` its version.',
      ['precondition_failed'],
      { ...replayable, ...headerReferences('ETag') },
    ),
    TooLarge: refusal('The body is larger than 1 MiB.', ['body_too_large']),
    UnsupportedMediaType: refusal(
      'The body is not `application/json` in UTF-8, or it has a `Content-Encoding`.',
      ['unsupported_media_type'],
    ),
    RefusedQuery: refusal('A query parameter was refused. `issues` names every problem.', [
      'validation_failed',
    ]),
    Refused: refusal(
      'Some values were refused. `issues` names every problem.',
      ['validation_failed'],
      replayable,
    ),
    RateLimited: refusal('The account has used all requests of its window.', ['rate_limited'], withRetry),
    RateLimitedWrite: refusal(
      'The account has used all requests of its window, or all storage for answers of `Idempotency-Key`.',
      ['rate_limited', 'idempotency_storage_full'],
      withRetry,
    ),
    Unavailable: refusal(
      'Temporarily unavailable. Retry after `Retry-After` seconds, a write with the same `Idempotency-Key`.',
      ['service_busy', 'query_timeout', 'service_unavailable', 'writes_unavailable', 'outcome_unknown'],
      { ...faultHeaders, ...headerReferences('Retry-After') },
    ),
    InternalError: refusal(
      'An error of the service. Retry with the same `Idempotency-Key`.',
      ['internal_error'],
      faultHeaders,
    ),
    ...Object.fromEntries(
      routes
        .filter(({ pathParameters }) => pathParameters.length > 0)
        .map((route) => [notFoundName(route), notFound(route, options)]),
    ),
  };
}

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
  const description =
    'The object does not exist, is archived, or belongs to another workspace. All cases have the same answer.';
  const headers = type === 'mutation' ? replayable : authenticatedHeaders;
  return refusalOf({ description, codes: [...codes, 'not_found'], headers }, options);
}

interface Refusal extends Pick<Response, 'description' | 'headers'> {
  codes: readonly string[];
}

/** Throws for a code that no catalogue defines, for example because a path parameter has no not-found code. */
function refusalOf({ codes, ...response }: Refusal, { errors, docsUrl }: ErrorOptions): Response {
  const examples = codes.map((code) => {
    const definition = errors[code];
    if (!definition) throw new Error(`No catalogue defines the error code ${code}`);
    const error = new AppError(code, definition, { issues: sampleIssues[code] });
    return [code, { summary: definition.message, value: errorToAnswer(error, { requestId, docsUrl }).body }];
  });
  const schema = refersTo('ErrorAnswer');
  return { ...response, content: { [json]: { schema, examples: Object.fromEntries(examples) } } };
}

const snakeCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
