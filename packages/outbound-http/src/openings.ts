// Measures the opening of connections and finds the request for which each one was opened. undici provides neither.
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** The ends of the steps of one opening, by performance.now(). Null for a step without an end. */
export interface Opening {
  readonly startedAt: number;
  lookedUpAt: number | null;
  connectedAt: number | null;
  securedAt: number | null;
}

/** Exact, because undici does both in one synchronous call each, so no request of another connection can interfere. */
export interface Openings {
  /** The last opening. undici connects inside the dispatch of the request that needs the connection. */
  begun: Opening | undefined;
  /** Set while undici handles a new connection and starts the request that waits for it. */
  ready: Opening | undefined;
}

// undici's types do not contain the socket that its connector returns.
type Dial = (...args: Parameters<buildConnector.connector>) => Socket;

/** Creates a connector that measures the openings of another one. */
export function timeOpenings(connector: buildConnector.connector, openings: Openings): Dial {
  const dial = connector as Dial;
  return (target, callback) => {
    const opening: Opening = {
      startedAt: performance.now(),
      lookedUpAt: null,
      connectedAt: null,
      securedAt: null,
    };
    openings.begun = opening;
    const socket = dial(target, (...result) => {
      if (result[0] === null) {
        if (target.protocol === 'https:') opening.securedAt = performance.now();
        openings.ready = opening;
      }
      callback(...result);
      openings.ready = undefined;
    });
    socket.once('lookup', (error: Error | null) => {
      if (error === null) opening.lookedUpAt = performance.now();
    });
    socket.once('connect', () => (opening.connectedAt = performance.now()));
    return socket;
  };
}

/** The lengths of the steps of a request in whole milliseconds, summed over all hops. */
export interface SendTimings {
  /** Null without a lookup (open connection, IP address) and when the lookup failed. */
  dnsMs: number | null;
  /** Null for an open connection and when it could not be opened. */
  connectMs: number | null;
  /** Like connectMs. Null for plain http. */
  tlsMs: number | null;
  /** From the start of the first hop to the headers of the last one. Null without headers. */
  firstByteMs: number | null;
}

/** Adds the wait of one hop for its connection. An earlier request that gave up may have started the opening. */
export function addOpening(timings: SendTimings, opening: Opening, hopStartedAt: number): void {
  const { startedAt, lookedUpAt, connectedAt, securedAt } = opening;
  const add = (sum: number | null, from: number, to: number | null): number | null =>
    to === null ? sum : (sum ?? 0) + Math.round(Math.max(0, to - Math.max(from, hopStartedAt)));
  timings.dnsMs = add(timings.dnsMs, startedAt, lookedUpAt);
  timings.connectMs = add(timings.connectMs, lookedUpAt ?? startedAt, connectedAt);
  timings.tlsMs = add(timings.tlsMs, connectedAt ?? startedAt, securedAt);
}
