import { BlockedAddressError } from './blocked-address.ts';
import { ResolveError } from './resolver.ts';

export type Failure =
  | 'invalid_url'
  | 'dns'
  | 'blocked_address'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'too_many_redirects'
  | 'invalid_redirect';

export interface Explanation {
  failure: Failure;
  message: string;
}

// Errors of TCP. Any other error before an https connection stands is one of the TLS handshake.
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
 * Sorts what undici and node:net report into failures for people. Node's own messages are not passed on: they name the
 * address that was dialled.
 */
export function explainError(error: Error, protocol: string, connected: boolean): Explanation {
  if (error instanceof BlockedAddressError) return { failure: 'blocked_address', message: error.message };
  if (error instanceof ResolveError) return { failure: 'dns', message: error.message };
  const code = codeOf(error);
  if (connected) {
    // undici forgets the code of its parser's errors.
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

/** True for errors that are ours and no fault of the receiver: a closed agent, a header undici refuses to send. */
export function isOwnFault(error: Error): boolean {
  return ['UND_ERR_DESTROYED', 'UND_ERR_CLOSED', 'UND_ERR_INVALID_ARG', 'UND_ERR_NOT_SUPPORTED'].includes(
    codeOf(error),
  );
}

function codeOf(error: Error): string {
  return 'code' in error && typeof error.code === 'string' ? error.code : error.name;
}
