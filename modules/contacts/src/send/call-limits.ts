// The limits of a tool: so many calls in a window of time. A window is counted in slots, a fortieth of its length each, so that a limit
// of a million a day needs 41 numbers. A call counts until its whole slot is older than the window, so the count is never too low.
import type { LimitWindow, MarketingProvider } from '@service/marketing-providers';
import type { StoredLimits } from '../entities.ts';

const slotsOfWindow = 40;

/** `reserved`: calls that follow soon. */
type Window = LimitWindow & { calls: Map<number, number>; reserved: number };

export interface CallLimits {
  /**
   * Milliseconds until a call that counts in these limits may be made. `share` is the part of each limit that it may use. `later`: the limits
   * of the calls that follow it, which must have room too.
   */
  waitMs(names: readonly string[], now: Date, share?: number, later?: readonly (readonly string[])[]): number;
  /** Counts a call. */
  take(names: readonly string[], now: Date, calls?: number): void;
  /** Keeps room for later calls until the returned function is called. */
  reserve(later: readonly (readonly string[])[]): () => void;
  names(): string[];
  toStored(now: Date): StoredLimits;
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
    waitMs(names, now, share = 1, later = []) {
      const calls = Map.groupBy([names, ...later].flatMap(windowsOf), (window) => window);
      const waits = [...calls].map(([window, { length }]) => waitOf(window, now.getTime(), share, length));
      return Math.max(0, ...waits);
    },
    take(names, now, calls = 1) {
      for (const window of windowsOf(names)) {
        const slot = slotAt(window, now.getTime());
        window.calls.set(slot, (window.calls.get(slot) ?? 0) + calls);
      }
    },
    reserve(later) {
      const reserved = later.flatMap(windowsOf);
      for (const window of reserved) window.reserved += 1;
      return () => {
        for (const window of reserved.splice(0)) window.reserved -= 1;
      };
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

const slotMsOf = ({ windowMs }: LimitWindow): number => windowMs / slotsOfWindow;

const slotAt = (window: LimitWindow, nowMs: number): number => Math.floor(nowMs / slotMsOf(window));

function forgetOld(window: Window, nowMs: number): void {
  const oldest = slotAt(window, nowMs) - slotsOfWindow;
  for (const slot of window.calls.keys()) if (slot < oldest) window.calls.delete(slot);
}

/** The wait when the room is reserved for calls that will be made or given up soon. */
const reservedWaitMs = 250;

function waitOf(window: Window, nowMs: number, share: number, wanted: number): number {
  forgetOld(window, nowMs);
  const max = Math.max(1, Math.floor(window.count * share));
  const made = [...window.calls.values()].reduce((sum, calls) => sum + calls, 0);
  // More calls than the window has are made one after the other.
  let excess = made + window.reserved + Math.min(wanted, max) - max;
  if (excess <= 0) return 0;
  for (const [slot, calls] of [...window.calls].toSorted(([one], [other]) => one - other)) {
    excess -= calls;
    if (excess <= 0) return (slot + slotsOfWindow + 1) * slotMsOf(window) - nowMs;
  }
  return reservedWaitMs;
}
