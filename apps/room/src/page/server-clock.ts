// The server's time on a page. Each answer with `serverNow` narrows the offset: the server read its clock between the sending of the
// call and the arrival of the answer.

/** Milliseconds of a clock that never goes back, such as performance.now(). */
export interface ClockSample {
  sentMs: number;
  answeredMs: number;
  /** ISO 8601. */
  serverNow: string;
}

interface Bounds {
  least: number;
  most: number;
}

export interface ServerClock {
  note(sample: ClockSample): void;
  /** Milliseconds since 1970 by the server's clock. Before the first answer, by the clock of this machine. */
  now(): number;
}

/** After this time only newer samples count: clocks of two machines run apart by a few milliseconds a minute. */
const keptMs = 10 * 60_000;

/**
 * While a machine sleeps, performance.now() stops on some systems, and the wall clock goes on. A smaller difference is taken for a
 * correction of the wall clock.
 */
const sleepMinMs = 2000;

export function createServerClock(
  readMs: () => number = () => performance.now(),
  wallMs: () => number = () => Date.now(),
): ServerClock {
  let bounds: Bounds | undefined;
  let boundsFromMs = 0;
  let wallAheadMs = 0;

  /** The time since the last answer in which the machine slept. */
  const sleptMs = (): number => {
    const slept = wallMs() - readMs() - wallAheadMs;
    return slept >= sleepMinMs ? slept : 0;
  };

  return {
    note({ sentMs, answeredMs, serverNow }) {
      wallAheadMs = wallMs() - readMs();
      const serverMs = Date.parse(serverNow);
      const sample = { least: serverMs - answeredMs, most: serverMs - sentMs };
      const both = bounds && answeredMs - boundsFromMs < keptMs ? intersect(bounds, sample) : undefined;
      // No common offset: the machine slept, or the server's clock was set.
      if (!both) boundsFromMs = answeredMs;
      bounds = both ?? sample;
    },
    now: () => (bounds ? readMs() + sleptMs() + (bounds.least + bounds.most) / 2 : wallMs()),
  };
}

function intersect(one: Bounds, other: Bounds): Bounds | undefined {
  const least = Math.max(one.least, other.least);
  const most = Math.min(one.most, other.most);
  return least <= most ? { least, most } : undefined;
}
