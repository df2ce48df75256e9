// Pages of other origins: those that may call the API, and those that may not call the dashboard's routes.
import { isLoopbackAddress } from '@service/config';
import { createId } from '@service/database';
import cors from 'cors';
import type { RequestHandler, Request } from 'express';

const options: cors.CorsOptions = {
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'PUT', 'DELETE'],
  allowedHeaders: [
    'Authorization',
    'Content-Type',
    'Idempotency-Key',
    'If-Match',
    'If-None-Match',
    'X-Request-Id',
    'MCP-Protocol-Version',
    'Mcp-Method',
    'Mcp-Name',
  ],
  exposedHeaders: [
    'X-Request-Id',
    'X-RateLimit-Limit',
    'X-RateLimit-Remaining',
    'X-RateLimit-Reset',
    'Retry-After',
    'Idempotent-Replayed',
    'Link',
    'Location',
    'ETag',
    'Deprecation',
    'Sunset',
  ],
  // Only the key gives permission here. A cookie must never count.
  credentials: false,
  maxAge: 600,
};

/** Connectors in a browser read the address of the authorization server in `WWW-Authenticate`. Requests to `/mcp` never have one. */
export const exposeChallenge: RequestHandler = (_request, response, next) => {
  if (response.hasHeader('Access-Control-Expose-Headers'))
    response.append('Access-Control-Expose-Headers', 'WWW-Authenticate');
  next();
};

/**
 * Allows pages of these origins to call the API from a browser. Their preflight requests are answered here, without a key.
 * Other origins get no CORS headers.
 */
export function allowOrigins(origins: readonly string[]): RequestHandler {
  const allowed = new Set(origins);
  const handler = cors((request, decide) => {
    const { origin } = request.headers;
    decide(null, { ...options, origin: origin !== undefined && allowed.has(origin) ? origin : false });
  });
  return (request, response, next) => {
    response.vary('Origin');
    handler(request, response, next);
  };
}

/** Requests of the dashboard itself, and those that a person started, for example with a bookmark. */
const ownSites = new Set<unknown>([undefined, 'same-origin', 'none']);

/**
 * Refuses requests of pages of other sites with 403. For routes that read the sign-in cookie. A page of another site can make a
 * visitor's browser send requests. Browsers say where a request comes from: in `Origin` for writes and for reads by scripts, in
 * `Sec-Fetch-Site` for every request to https and localhost (https://www.w3.org/TR/fetch-metadata/). Neither helps against a page
 * whose own name was changed to resolve to this machine (DNS rebinding), because to the browser it is the same site. Its requests
 * have that name in `Host`. Programs and old browsers that send neither header pass, if they call the service by its name.
 */
export function refuseForeignPages(baseUrl: string): RequestHandler {
  const base = new URL(baseUrl);
  const isOwn = ({ headers, host }: Request): boolean => {
    // `host` is the name in X-Forwarded-Host if a proxy of TRUSTED_PROXIES sent it. Only HTTP/1.0 has requests without a host,
    // and browsers do not send them.
    if (host !== undefined && !isHostOf(host, base)) return false;
    if (!ownSites.has(headers['sec-fetch-site'])) return false;
    const { origin } = headers;
    if (origin === undefined || origin === base.origin) return true;
    return isLoopback(base) && origin === `${base.protocol}//${host}`;
  };
  return (request, response, next) => {
    if (isOwn(request)) return next();
    return response
      .status(403)
      .set('X-Request-Id', createId())
      .json({ code: 'foreign_origin', message: `Open the dashboard at ${baseUrl}.` });
  };
}

/** A service on this machine has several names: any loopback name with any port is its own. */
function isHostOf(host: string, base: URL): boolean {
  const url = URL.parse(`${base.protocol}//${host}`);
  return url !== null && (url.host === base.host || (isLoopback(url) && isLoopback(base)));
}

const isLoopback = ({ hostname }: URL): boolean =>
  hostname === 'localhost' || isLoopbackAddress(hostname.replaceAll(/[[\]]/g, ''));
