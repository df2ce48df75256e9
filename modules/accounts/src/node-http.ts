import { httpStatusByKind, type AppError } from '@service/errors';
import { sendJson } from '@service/rest';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** A request of node:http or express. express has the whole path in `originalUrl`. */
export type NodeRequest = IncomingMessage & { originalUrl?: string; ip?: string };
export type NodeHandler = (req: NodeRequest, res: ServerResponse) => void;

export function toHeaders(req: IncomingMessage): Headers {
  const headers = new Headers();
  for (const [name, value] of Object.entries(req.headers)) {
    for (const one of Array.isArray(value) ? value : [value ?? '']) headers.append(name, one);
  }
  return headers;
}

/** Answers an error with its code, its message for pages and its issues. */
export function sendError(
  res: ServerResponse,
  { kind, code, pageMessage: message, issues, retryAfterSeconds }: AppError,
): void {
  if (retryAfterSeconds !== undefined) res.setHeader('retry-after', retryAfterSeconds);
  sendJson(res, httpStatusByKind[kind], { code, message, ...(issues && { issues }) });
}

/** This module sets the header on every request to better-auth, so the client's value and X-Forwarded-For have no effect. */
export const clientAddressHeader = 'x-service-client-address';

/** The address that the sign-in limits count: express's `req.ip`, which respects trusted proxies, else the peer of the socket. */
export const clientAddressOf = (req: NodeRequest): string => req.ip ?? req.socket.remoteAddress ?? '0.0.0.0';
