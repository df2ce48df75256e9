import type { IncomingMessage } from 'node:http';

/** Set by us on every request to better-auth, so that what a client writes there or in X-Forwarded-For counts nothing. */
export const clientAddressHeader = 'x-service-client-address';

/** Whom the sign-in limit counts: express's `req.ip` (which knows the trusted proxies), else the socket's peer. */
export const clientAddressOf = (req: IncomingMessage & { ip?: string }): string =>
  req.ip ?? req.socket.remoteAddress ?? '0.0.0.0';
