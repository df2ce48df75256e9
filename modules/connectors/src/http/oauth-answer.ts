// Answers of the OAuth endpoints. Their forms come from RFC 6749, so they differ from those of the API.
import { commonErrors, httpStatusByKind, type AppError } from '@service/errors';
import { escapeHtml } from '@service/pages';
import { findExceeded, readBytes, sendJson } from '@service/rest';
import { errorOf } from '@service/trpc';
import type { Response } from 'express';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { isOAuthError, oauthError } from '../errors.ts';

/** Largest body of every endpoint, in bytes. */
const bytesMax = 16 * 1024;

/** The body of a form. Throws invalid_request, body_too_large. */
export async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  requireMediaType(request, 'application/x-www-form-urlencoded');
  return new URLSearchParams((await readBytes(request, bytesMax)).toString('utf8'));
}

/** A body in JSON. Throws invalid_client_metadata, body_too_large. */
export async function readMetadata(request: IncomingMessage): Promise<unknown> {
  requireMediaType(request, 'application/json');
  const bytes = await readBytes(request, bytesMax);
  if (findExceeded(bytes)) throw oauthError('invalid_client_metadata', 'The body is nested too deeply.');
  try {
    return JSON.parse(bytes.toString('utf8'));
  } catch (cause) {
    if (cause instanceof SyntaxError)
      throw oauthError('invalid_client_metadata', 'The body is not valid JSON.', { cause });
    throw cause;
  }
}

function requireMediaType({ headers }: IncomingMessage, mediaType: string): void {
  const given = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  const encoding = headers['content-encoding'] ?? 'identity';
  if (given !== mediaType || encoding !== 'identity')
    throw oauthError('invalid_request', `Send the body as ${mediaType}.`);
}

/** Its media type has no charset: that of JSON is always UTF-8 (RFC 8259 8.1). */
export const sendOAuth = (
  response: ServerResponse,
  { status, body, headers }: { status: number; body: object; headers?: Record<string, string> },
): void => sendJson(response, status, body, { 'Content-Type': 'application/json', ...headers });

/** The refusal for a thrown value. A code that OAuth does not know becomes one that it knows. */
export function refusalOf(thrown: unknown): AppError {
  const error = errorOf(thrown);
  if (isOAuthError(error)) return error;
  const { kind, message, retryAfterSeconds } = error;
  const extra = { cause: thrown, retryAfterSeconds };
  if (kind === 'unavailable') return oauthError('temporarily_unavailable', message, extra);
  if (kind === 'internal') return oauthError('server_error', commonErrors.internal_error().message, extra);
  return oauthError('invalid_request', message, extra);
}

/** Sends `{error, error_description}` (RFC 6749 5.2). An unknown client is 400 and not 401: it has not authenticated with a header. */
export function sendRefusal(
  response: ServerResponse,
  { code, kind, message, retryAfterSeconds }: AppError,
): void {
  sendOAuth(response, {
    status: code === 'invalid_client' ? 400 : httpStatusByKind[kind],
    body: { error: code, error_description: message },
    headers: retryAfterSeconds === undefined ? {} : { 'Retry-After': String(retryAfterSeconds) },
  });
}

/** Sends the browser a page instead, because the client or its redirect URI cannot be trusted. */
export function sendPage(response: Response, refusal: AppError): void {
  const { kind, retryAfterSeconds } = refusal;
  if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
  const status = kind === 'unauthenticated' ? 400 : httpStatusByKind[kind];
  response.status(status).type('html').send(errorPage(refusal));
}

/** The page for a request that cannot be answered to its client. */
const errorPage = ({ message }: AppError): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The client cannot be connected</title>
<style>
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
main { max-width: 32rem; margin: 20vh auto 0; padding: 0 1.5rem; overflow-wrap: anywhere; }
h1 { font-size: 1.25rem; }
</style>
</head>
<body>
<main>
<h1>The client cannot be connected</h1>
<p>${escapeHtml(message)}</p>
<p>Nothing was changed. Close this page and start again in the client.</p>
</main>
</body>
</html>
`;
