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
