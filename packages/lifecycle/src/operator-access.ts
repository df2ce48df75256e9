// Metrics and the reasons of a readiness probe are for operators: callers with METRICS_TOKEN or, without a METRICS_TOKEN,
// programs on the same machine.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { isLoopbackAddress } from '@service/config';

export type OperatorAccess = 'granted' | 'token_required' | 'loopback_only';
export type CheckOperator = (request: Pick<IncomingMessage, 'headers' | 'socket'>) => OperatorAccess;

/**
 * A reverse proxy on this machine forwards requests of strangers from a loopback address. Such a request has at least one of these
 * headers, or a Host that is not local.
 */
const proxyHeader =
  /^(x-forwarded(-.*)?|forwarded|via|x-(real|client|cluster-client)-ip|true-client-ip|cf-.*)$/;

const localHost = /^(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?$/i;

/** Checks callers of `/metrics`. A token is compared in constant time. */
export function createOperatorCheck(token: string | undefined): CheckOperator {
  if (token === undefined) return (request) => (isFromThisMachine(request) ? 'granted' : 'loopback_only');
  const expected = digest(`Bearer ${token}`);
  return ({ headers }) =>
    timingSafeEqual(digest(headers.authorization ?? ''), expected) ? 'granted' : 'token_required';
}

/** The answers to refused callers. */
export const operatorRefusals = {
  token_required: {
    status: 401,
    headers: { 'WWW-Authenticate': 'Bearer' },
    message: 'Send METRICS_TOKEN as Authorization: Bearer.',
  },
  loopback_only: {
    status: 403,
    headers: {},
    message:
      'Send the request from the same machine, or set METRICS_TOKEN and send it as Authorization: Bearer.',
  },
} as const;

/**
 * True for a request of a program on this machine that comes through no proxy. A page of another site whose name leads to this
 * machine (DNS rebinding) sends a Host that is not local.
 */
export function isFromThisMachine({ headers, socket }: Pick<IncomingMessage, 'headers' | 'socket'>): boolean {
  if (!isLoopbackAddress(socket.remoteAddress ?? '')) return false;
  return localHost.test(headers.host ?? '') && !Object.keys(headers).some((name) => proxyHeader.test(name));
}

const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
