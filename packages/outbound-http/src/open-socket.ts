import { once } from 'node:events';
import { connect, isIPv6, type Socket } from 'node:net';
import { createJudgedLookup, NEXT_ADDRESS_AFTER_MS, refuseBlockedLiteral } from './check-host.ts';
import { explainError, type Failure } from './failure.ts';
import type { OutboundPolicy } from './policy.ts';
import type { Resolver } from './resolver.ts';
import { bareHost, parseTargetUrl } from './target-url.ts';

/** Opens a TCP connection to a host of a stranger. Rejects with OpenSocketError, or with the reason of the signal. */
export type OpenSocket = (target: { host: string; port: number; signal: AbortSignal }) => Promise<Socket>;

/** The message is for the owner of the host. It contains no address that DNS returned. */
export class OpenSocketError extends Error {
  override readonly name = 'OpenSocketError';
  readonly failure: Failure;

  constructor(failure: Failure, message: string) {
    super(message);
    this.failure = failure;
  }
}

/** Creates a dialler for other protocols than HTTP, by the same rules as a connection of the agent. */
export function createSocketOpener(options: {
  policy: OutboundPolicy;
  resolver: Resolver;
  /** The limit of DNS and TCP together. */
  connectTimeoutMs?: number;
}): OpenSocket {
  const { policy, resolver, connectTimeoutMs = 5000 } = options;
  const lookup = createJudgedLookup(policy, resolver);

  return async ({ host, port, signal }) => {
    signal.throwIfAborted();
    // The rules of URLs turn every spelling of an IP address into the one that is checked, and refuse a text that is no host.
    const target = parseTargetUrl(`https://${isIPv6(host) ? `[${host}]` : host}:${port}/`, policy);
    if (!target.ok || target.path !== '/')
      throw new OpenSocketError('invalid_url', 'This is not a valid host and port.');
    const hostname = bareHost(target.url.hostname);
    const timeout = AbortSignal.timeout(connectTimeoutMs);
    let socket: Socket | undefined;
    try {
      // node:net calls no lookup for an IP literal, so it is checked before.
      refuseBlockedLiteral(hostname, policy);
      socket = connect({
        host: hostname,
        port,
        lookup,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
      });
      await once(socket, 'connect', { signal: AbortSignal.any([signal, timeout]) });
      return socket;
    } catch (error) {
      socket?.on('error', () => undefined).destroy();
      if (signal.aborted) throw signal.reason;
      if (timeout.aborted) throw new OpenSocketError('connect', 'No connection could be made in time.');
      const { failure, message } = explainError(error as Error, 'tcp:', false);
      throw new OpenSocketError(failure, message);
    }
  };
}
