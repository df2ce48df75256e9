import { isIP, type LookupFunction } from 'node:net';
import { callbackify } from 'node:util';
import { Agent, buildConnector, type Dispatcher, Pool } from 'undici';
import { judgeLiteral, resolveJudged } from './judge-host.ts';
import { type Openings, timeOpenings } from './openings.ts';
import { passOverContinue } from './pass-over-continue.ts';
import type { OutboundPolicy } from './policy.ts';
import type { Resolver } from './resolver.ts';
import { bareHost, createTargetReader, type TargetUrl } from './target-url.ts';

export interface OutboundAgentOptions {
  policy: OutboundPolicy;
  resolver: Resolver;
  /**
   * Most connections to one origin; what is more waits in a queue. Unlimited by default, for a caller who limits what
   * is in flight himself; he may then see a few connections more than requests, since undici frees one a turn late.
   */
  connections?: number;
  /** Limit of DNS, TCP and TLS together, for one connection. */
  connectTimeoutMs?: number;
  /** How long an idle connection is kept, unless the receiver names a time of its own. */
  keepAliveMs?: number;
  /** Most that a receiver's own `Keep-Alive: timeout` can ask for. */
  keepAliveMaxMs?: number;
  /** Certificate authorities trusted instead of Node's, in PEM. */
  ca?: string;
}

export interface OutboundAgent {
  readonly policy: OutboundPolicy;
  readonly dispatcher: Dispatcher;
  readonly openings: Openings;
  readonly readTarget: (url: string) => TargetUrl;
  /** Waits for the requests under way, then closes every connection. */
  close(): Promise<void>;
  /** Ends everything at once; requests under way reject. */
  destroy(): Promise<void>;
}

// Node abandons an attempt after this time when the name has further addresses. Its default of 250 ms gives up on
// receivers on the other side of the world.
const NEXT_ADDRESS_AFTER_MS = 1000;

/**
 * Makes the pool of connections through which everything is sent. Each new connection judges its host, and dials
 * exactly the addresses that were judged, so that a DNS answer cannot change in between. TLS name and Host header stay
 * the host name. HTTP/1.1 only: a shared HTTP/2 session would let one stuck request hold up its neighbours.
 */
export function createOutboundAgent(options: OutboundAgentOptions): OutboundAgent {
  const { policy, resolver, connections, connectTimeoutMs = 5000 } = options;
  const { keepAliveMs = 4000, keepAliveMaxMs = 60_000, ca } = options;
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
    // Given to the pools and not to the agent, which would build a new key string for every request.
    factory: (origin, poolOptions: Pool.Options) => new Pool(origin, { ...poolOptions, allowH2: false }),
    ...(connections === undefined ? {} : { connections }),
    keepAliveTimeout: keepAliveMs,
    keepAliveMaxTimeout: keepAliveMaxMs,
    // The deadline of sendRequest bounds both; undici's own limits do not bound a body that drips.
    headersTimeout: 0,
    bodyTimeout: 0,
    connect: (target, callback) => {
      try {
        // net.connect calls no lookup for an IP literal, so it has to be judged before.
        judgeLiteral(bareHost(target.hostname), policy);
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

// With autoSelectFamily, and neither a family nor a local address given, node:net always asks for all addresses.
function createJudgedLookup(policy: OutboundPolicy, resolver: Resolver): LookupFunction {
  return callbackify(async (hostname: string, _options: unknown) => {
    const addresses = await resolveJudged(hostname, policy, resolver);
    return addresses.map((address) => ({ address, family: isIP(address) }));
  });
}
