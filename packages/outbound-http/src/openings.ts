// Times the opening of connections, and tells each request which connection was opened for it. undici tells neither.
import type { Socket } from 'node:net';
import type { buildConnector } from 'undici';

/** When the steps of one opening ended, by performance.now(); null for a step that did not end or does not exist. */
export interface Opening {
  readonly startedAt: number;
  lookedUpAt: number | null;
  connectedAt: number | null;
  securedAt: number | null;
}

/** Exact because undici does both in one synchronous call each: no request of another connection comes in between. */
export interface Openings {
  /** The last one begun. undici dials inside the dispatch of the request that needs a connection. */
  begun: Opening | undefined;
  /** Set only while undici hears that a connection stands, when it starts the one request that waits for it. */
  ready: Opening | undefined;
}

// undici's types leave out that its connector gives the socket.
type Dial = (...args: Parameters<buildConnector.connector>) => Socket;

/** Makes a connector that times what another one opens. */
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
