import cors from 'cors';
import type { RequestHandler } from 'express';

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
