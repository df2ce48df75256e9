// The HTTP side of sign-in. Of better-auth's routes only those named here exist: the rest (creating and deleting
// workspaces, changing roles, listing sessions with their tokens) would go around our rules, so it is 404.
import type { ServerResponse } from 'node:http';
import { errorOf } from '@service/trpc';
import type { Auth } from 'better-auth';
import { clientAddressHeader } from './client-address.ts';
import { readBody, sendError, sendJson, toHeaders, type NodeHandler, type NodeRequest } from './node-http.ts';
import type { OnError, OutageWatch } from './outage-watch.ts';

const basePath = '/api/auth';

const routes = new Set([
  'POST /sign-up/email',
  'POST /sign-in/email',
  'POST /sign-out',
  'POST /change-password',
  'GET /organization/get-invitation',
  'POST /organization/accept-invitation',
]);

const bodyBytesMax = 16_384;

interface AuthHandlerOptions {
  auth: Auth;
  /** Where the service is reached; the Host header is not believed. */
  baseUrl: string;
  origins: ReadonlySet<string>;
  clientAddress: (req: NodeRequest) => string;
  outages: OutageWatch;
  onError: OnError;
}

/** Serves the sign-in routes. Mount it before any body parser: it reads the body itself, at most 16 KB of JSON. */
export function createAuthHandler(options: AuthHandlerOptions): NodeHandler {
  return (req, res) => {
    answer(options, req, res).catch((error: unknown) => {
      options.onError('A sign-in request failed.', error);
      if (res.headersSent) res.destroy();
      else sendError(res, errorOf(error));
    });
  };
}

async function answer(options: AuthHandlerOptions, req: NodeRequest, res: ServerResponse): Promise<void> {
  const method = req.method ?? 'GET';
  const path = req.originalUrl ?? req.url ?? '';
  const [pathname = ''] = path.split('?');
  if (!pathname.startsWith(`${basePath}/`) || !routes.has(`${method} ${pathname.slice(basePath.length)}`)) {
    return refuse(res, 404, 'not_found', 'Not found.');
  }
  // A browser names its page's origin on every POST; a program outside one need not.
  const { origin } = req.headers;
  if (origin !== undefined && !options.origins.has(origin)) {
    return refuse(res, 403, 'foreign_origin', `Open the dashboard at ${options.baseUrl}.`);
  }
  // A form of another site can post anything but JSON.
  if (method === 'POST' && !/^application\/json\b/i.test(req.headers['content-type'] ?? '')) {
    return refuse(res, 415, 'unsupported_media_type', 'Send JSON with Content-Type: application/json.');
  }
  const body = await readBody(req, bodyBytesMax);
  if (!body) return refuse(res, 413, 'body_too_large', 'The body is too large.');

  const headers = toHeaders(req);
  headers.set(clientAddressHeader, options.clientAddress(req));
  const url = `${new URL(options.baseUrl).origin}${path}`;
  const request = new Request(url, { method, headers, ...(method === 'POST' && { body }) });
  await send(res, await options.outages.run(() => options.auth.handler(request)));
}

async function send(res: ServerResponse, response: Response): Promise<void> {
  for (const [name, value] of response.headers) if (name !== 'set-cookie') res.setHeader(name, value);
  const setCookies = response.headers.getSetCookie();
  if (setCookies.length > 0) res.setHeader('set-cookie', setCookies);
  const retryAfter = response.headers.get('x-retry-after');
  if (retryAfter) res.setHeader('retry-after', retryAfter);
  res.setHeader('cache-control', 'no-store');
  res.writeHead(response.status).end(Buffer.from(await response.arrayBuffer()));
}

function refuse(res: ServerResponse, status: number, code: string, message: string): void {
  // What was not read of the body is not worth waiting for.
  if (status === 413) res.setHeader('connection', 'close');
  sendJson(res, status, { code, message });
}
