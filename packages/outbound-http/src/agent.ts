import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { createJudgedLookup, NEXT_ADDRESS_AFTER_MS, refuseBlockedLiteral } from './check-host.ts';
import { type Openings, timeOpenings } from './openings.ts';
import { passOverContinue } from './pass-over-continue.ts';
import type { OutboundPolicy } from './policy.ts';
import type { Resolver } from './resolver.ts';
import { bareHost, createTargetReader, type TargetUrl } from './target-url.ts';

export interface OutboundAgentOptions {
  policy: OutboundPolicy;
  resolver: Resolver;
  /**
   * Connections to one origin at most. Further requests wait in a queue. Unlimited by default, for callers with a limit of their
   * own. There may be a few more connections than requests, because undici frees a connection a turn late.
   */
  connections?: number;
  /** The limit of DNS, TCP and TLS together for one connection. */
  connectTimeoutMs?: number;
  /** Certificate authorities trusted instead of Node's, in PEM. */
  ca?: string;
}

export interface OutboundAgent {
  readonly policy: OutboundPolicy;
  readonly dispatcher: Dispatcher;
  readonly openings: Openings;
  readonly readTarget: (url: string) => TargetUrl;
  /** Waits for the requests in flight, then closes every connection. */
  close(): Promise<void>;
  /** Closes every connection at once. Requests in flight reject. */
  destroy(): Promise<void>;
}

/** An idle connection is closed after this time, unless the receiver sends another one. */
const keepAliveMs = 4000;
/** The maximum of a receiver's `Keep-Alive: timeout`. */
const keepAliveMaxMs = 60_000;

/**
 * Creates the pool of connections for all requests. Each new connection checks its host and connects only to the checked
 * addresses, so that a DNS answer cannot change in between. TLS name and Host header stay the host name. HTTP/1.1 only: in a
 * shared HTTP/2 session one stuck request would delay the others.
 */
export function createOutboundAgent(options: OutboundAgentOptions): OutboundAgent {
  const { policy, resolver, connections, connectTimeoutMs = 5000, ca } = options;
  const openings: Openings = { begun: undefined, ready: undefined };
  const connector = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: NEXT_ADDRESS_AFTER_MS,
    lookup: createJudgedLookup(policy, resolver),
    ...(ca === undefined ? {} : { ca }),
  });
  const dial = timeOpenings(connector, openings);
  const dispatcher = new Agent({
    // Passed to the pools and not to the agent, which would build a new key string for every request.
    factory: (origin, poolOptions: Pool.Options) => new Pool(origin, { ...poolOptions, allowH2: false }),
    ...(connections === undefined ? {} : { connections }),
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    // The deadline of sendRequest limits both. undici's limits do not apply to a body that arrives in small pieces.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      try {
        // net.connect calls no lookup for an IP literal, so it is checked before.
        refuseBlockedLiteral(bareHost(target.hostname), policy);
      } catch (error) {
        callback(error as Error, null);
        return;
      }
      dial(target, (...result) => {
        if (result[0] === null) passOverContinue(result[1]);
        callback(...result);
      });
    },
  });
  return {
    policy,
    dispatcher,
    openings,
    readTarget: createTargetReader(policy),
    close: () => dispatcher.close(),
    destroy: () => dispatcher.destroy(),
  };
}
