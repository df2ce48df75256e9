import { AppError, type DocumentedErrors, type Issue } from '@service/errors';
import { ErrorIssue } from '@service/trpc';
import { z } from 'zod';
import { isEdit, type Route } from '../route-table.ts';
import { errorToAnswer } from '../send-answer.ts';
import {
  headerReferences,
  json,
  optionalHeaders,
  refersTo,
  type Reference,
  type Response,
} from './document.ts';
import protocol from './protocol.json' with { type: 'json' };

/** The body of every refusal. */
export const ErrorAnswer = z
  .object({
    code: z
      .string()
      .regex(/^[a-z][a-z0-9_]*$/)
      .describe('Stable, for programs. New codes can be added.'),
    message: z.string().describe('A sentence for people. Its wording can change.'),
    issues: z.array(ErrorIssue).optional().describe('Every problem of the input.'),
    details: z.looseObject({}).optional().describe('Further facts for programs.'),
    data: z.looseObject({}).optional().describe('The current record, only with `precondition_failed`.'),
    requestId: z.string().describe('The value of `X-Request-Id`.'),
    docUrl: z.url().describe('The page with what to do about the code.'),
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
  errors: DocumentedErrors;
  docsUrl: string;
}

interface Shared {
  description: string;
  /** Of errors. None for an answer without a body. */
  codes: readonly string[];
  headers: string[];
  optionalHeaders?: string[];
}

const { NotFound, ...others }: Record<string, Shared> = protocol.responses;

/** The answers that operations share, by the names of their references: refusals, and NotModified. */
export function sharedResponses(routes: readonly Route[], options: ErrorOptions): Record<string, Response> {
  const answers = Object.entries(others).map(([name, shared]) => [name, responseOf(shared, options)]);
  const withIds = routes.filter(({ pathParameters }) => pathParameters.length > 0);
  return {
    ...Object.fromEntries(answers),
    ...Object.fromEntries(withIds.map((route) => [notFoundName(route), notFound(route, options)])),
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
  const nouns = idsOf(pathParameters).map(
    (name) => name[0]!.toUpperCase() + name.slice(1).replace(/Id$/, ''),
  );
  return `${nouns.join('')}NotFound${type === 'mutation' ? 'Write' : ''}`;
}

/** The codes follow from the ids in the path: for `webhookId` the code is `webhook_not_found`. */
function notFound({ pathParameters, type }: Route, options: ErrorOptions): Response {
  const codes = idsOf(pathParameters).map((name) => `${snakeCase(name.replace(/Id$/, ''))}_not_found`);
  const headers = [...NotFound!.headers, ...(type === 'mutation' ? ['Idempotent-Replayed'] : [])];
  return responseOf({ ...NotFound!, codes: [...codes, ...NotFound!.codes], headers }, options);
}

/** The parameters that name a record. Another one, such as a kind, has a closed set of values: a wrong one is answered 422. */
const idsOf = (pathParameters: readonly string[]): string[] =>
  pathParameters.filter((name) => name.endsWith('Id'));

/** Throws for a code that no catalogue defines, for example because a path parameter has no not-found code. */
function responseOf(
  { description, codes, headers, optionalHeaders: optional = [] }: Shared,
  { errors, docsUrl }: ErrorOptions,
): Response {
  const examples = codes.map((code) => {
    const definition = errors[code];
    if (!definition) throw new Error(`No catalogue defines the error code ${code}`);
    const error = new AppError(code, definition, { issues: sampleIssues[code] });
    return [code, { summary: definition.message, value: errorToAnswer(error, { requestId, docsUrl }).body }];
  });
  return {
    description,
    headers: { ...headerReferences(...headers), ...optionalHeaders(...optional) },
    ...(codes.length > 0 && {
      content: { [json]: { schema: refersTo('ErrorAnswer'), examples: Object.fromEntries(examples) } },
    }),
  };
}

const snakeCase = (text: string): string => text.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
