// The limits of a tool: so many calls in a window of time. A window is counted in slots, a fortieth of its length each, so that a limit
// of a million a day needs 41 numbers. A call counts until its whole slot is older than the window, so the count is never too low.
import type { LimitWindow, MarketingProvider } from '@service/marketing-providers';
import type { StoredLimits } from '../entities.ts';

const slotsOfWindow = 40;

/** `reserved`: calls that changes have reserved and not made yet. */
type Window = LimitWindow & { calls: Map<number, number>; reserved: number };

export interface CallLimits {
  /** A reservation for the calls of one change. `share` is the part of each limit that it may use to begin. */
  reserveCalls(share?: number): CallReservation;
  /** Counts calls that were made without a reservation, such as those of a worker that died. */
  count(names: readonly string[], now: Date, calls: number): void;
  names(): string[];
  toStored(now: Date): StoredLimits;
}

/**
 * The first call of a change waits until every limit has room for all of the calls, or for as many as it has. They are reserved for the change. A
 * change with more calls asks again, and then comes before the changes that have not begun.
 */
export interface CallReservation {
  /**
   * Counts a call in these limits and returns 0, or returns the milliseconds until it may be made. `later`: the limits of each call that
   * follows it.
   */
  take(names: readonly string[], now: Date, later?: readonly (readonly string[])[]): number;
  /** Gives back the calls that were not made. */
  release(): void;
}

export function createCallLimits(limits: MarketingProvider['limits'], stored: StoredLimits = {}): CallLimits {
  const windows = new Map(
    Object.entries(limits).map(([name, own]) => [
      name,
      own.map((window, index): Window => ({ ...window, calls: new Map(stored[name]?.[index]), reserved: 0 })),
    ]),
  );
  const windowsOf = (names: readonly string[]): Window[] => names.flatMap((name) => windows.get(name) ?? []);

  return {
    reserveCalls: (share = 1) => createReservation(windowsOf, share),
    count(names, now, calls) {
      for (const window of windowsOf(names)) countCalls(window, now.getTime(), calls);
    },
    names: () => [...windows.keys()],
    toStored(now) {
      for (const window of windowsOf([...windows.keys()])) forgetOld(window, now.getTime());
      return Object.fromEntries(
        [...windows].map(([name, own]) => [name, own.map(({ calls }) => [...calls])] as const),
      );
    },
  };
}

function createReservation(
  windowsOf: (names: readonly string[]) => Window[],
  share: number,
): CallReservation {
  const reservedByWindow = new Map<Window, number>();
  let hasBegun = false;
  const reservedOf = (window: Window): number => reservedByWindow.get(window) ?? 0;
  const reserve = (window: Window, calls: number): void => {
    window.reserved += calls - reservedOf(window);
    reservedByWindow.set(window, calls);
  };

  return {
    take(names, now, later = []) {
      const nowMs = now.getTime();
      const own = windowsOf(names);
      const wanted = new Map(
        [...Map.groupBy([names, ...later].flatMap(windowsOf), (window) => window)].map(
          ([window, { length }]) => [window, Math.min(length, maxOf(window, share))],
        ),
      );
      for (const [window, calls] of reservedByWindow)
        reserve(window, Math.min(calls, wanted.get(window) ?? 0));
      if (!hasBegun) {
        const waits = [...wanted].map(([window, calls]) =>
          waitOf(window, nowMs, maxOf(window, share) - window.reserved - calls),
        );
        const waitMs = Math.max(0, ...waits);
        if (waitMs > 0) return waitMs;
        for (const [window, calls] of wanted) reserve(window, calls);
      } else if (own.some((window) => reservedOf(window) === 0))
        for (const [window, calls] of wanted) {
          // All reserved calls together fit into the window, so changes that have begun never wait for each other without an end.
          const free = Math.max(0, window.count - window.reserved);
          reserve(window, Math.max(reservedOf(window), Math.min(calls, reservedOf(window) + free)));
        }
      const waits = own.map((window) =>
        waitOf(window, nowMs, window.count - 1 - (reservedOf(window) > 0 ? 0 : window.reserved)),
      );
      const waitMs = Math.max(0, ...waits);
      if (waitMs > 0) return waitMs;
      hasBegun = true;
      for (const window of own) {
        reserve(window, Math.max(0, reservedOf(window) - 1));
        countCalls(window, nowMs, 1);
      }
      return 0;
    },
    release() {
      for (const window of reservedByWindow.keys()) reserve(window, 0);
    },
  };
}

const maxOf = ({ count }: Window, share: number): number => Math.max(1, Math.floor(count * share));

const slotMsOf = ({ windowMs }: LimitWindow): number => windowMs / slotsOfWindow;

const slotAt = (window: LimitWindow, nowMs: number): number => Math.floor(nowMs / slotMsOf(window));

function forgetOld(window: Window, nowMs: number): void {
  const oldest = slotAt(window, nowMs) - slotsOfWindow;
  for (const slot of window.calls.keys()) if (slot < oldest) window.calls.delete(slot);
}

function countCalls(window: Window, nowMs: number, calls: number): void {
  const slot = slotAt(window, nowMs);
  window.calls.set(slot, (window.calls.get(slot) ?? 0) + calls);
}

/** The wait when the rest is reserved for calls that will be made or given back soon. */
const reservedWaitMs = 250;

/** Milliseconds until at most so many calls are in the window. */
function waitOf(window: Window, nowMs: number, callsMax: number): number {
  forgetOld(window, nowMs);
  let excess = [...window.calls.values()].reduce((sum, calls) => sum + calls, 0) - callsMax;
  if (excess <= 0) return 0;
  for (const [slot, calls] of [...window.calls].toSorted(([one], [other]) => one - other)) {
    excess -= calls;
    if (excess <= 0) return (slot + slotsOfWindow + 1) * slotMsOf(window) - nowMs;
  }
  return reservedWaitMs;
}
