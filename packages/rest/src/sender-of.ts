import type { IncomingMessage } from 'node:http';
import { createId } from '@service/database';
import type { CallSender } from '@service/surface';

/** The caller's `X-Request-Id` if it is well-formed, else a new id. */
export function requestIdOf(request: IncomingMessage): string {
  const given = request.headers['x-request-id'];
  return typeof given === 'string' && /^[\w.-]{1,100}$/.test(given) ? given : createId();
}

/** Facts about the sender of a request. `ip` is express's, which reads the headers of trusted proxies. */
export const senderOf = (request: IncomingMessage): CallSender => ({
  userAgent: request.headers['user-agent'],
  address: (request as { ip?: string }).ip ?? request.socket.remoteAddress,
  idempotencyKey: request.headers['idempotency-key']?.toString(),
});
