import type { DeliveryFailure } from '@service/catalogue';
import { BlockedAddressError } from './check-host.ts';
import { ResolveError } from './resolver.ts';

/** Why no usable answer arrived. The caller decides which statuses are failures. */
export type Failure = Exclude<DeliveryFailure, 'http_status'>;

export interface Explanation {
  failure: Failure;
  message: string;
}

// Errors of TCP. Any other error before an https connection is open comes from the TLS handshake.
const TCP_CODES = new Set([
  'ECONNREFUSED',
  'ETIMEDOUT',
  'EHOSTUNREACH',
  'EHOSTDOWN',
  'ENETUNREACH',
  'ENETDOWN',
  'EADDRNOTAVAIL',
  'EACCES',
  'EPERM',
  'EINVAL',
  'EMFILE',
  'ENFILE',
  'ENOBUFS',
]);

/**
 * Converts errors of undici and node:net to failures for people. Node's messages are not used, because they contain the address.
 */
export function explainError(error: Error, protocol: string, connected: boolean): Explanation {
  if (error instanceof BlockedAddressError) return { failure: 'blocked_address', message: error.message };
  if (error instanceof ResolveError) return { failure: 'dns', message: error.message };
  const code = codeOf(error);
  if (connected) {
    // Errors of undici's parser have no code here.
    const what =
      error.name === 'HTTPParserError'
        ? 'The answer is not HTTP'
        : 'The connection broke off before an answer came';
    return { failure: 'reset', message: `${what} (${code}).` };
  }
  if (code === 'UND_ERR_CONNECT_TIMEOUT') {
    return { failure: 'connect', message: 'No connection could be made in time.' };
  }
  if (protocol === 'https:' && !TCP_CODES.has(code)) {
    return { failure: 'tls', message: `The TLS handshake failed (${code}).` };
  }
  return { failure: 'connect', message: `No connection could be made (${code}).` };
}

/** True for errors that the receiver did not cause: a closed agent, a header that undici refuses. */
export function isOwnFault(error: Error): boolean {
  return ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(
    codeOf(error),
  );
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
