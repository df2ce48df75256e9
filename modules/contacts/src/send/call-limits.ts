// The limits of a tool: so many calls in a window of time. A window is counted in slots, a twentieth of its length each, so that a limit
// of a million a day needs 21 numbers. A call counts until its whole slot is older than the window, so the count is never too low.
import type { LimitWindow, MarketingProvider } from '@service/marketing-providers';
import type { StoredLimits } from '../entities.ts';

const slotsOfWindow = 20;

type Window = LimitWindow & { calls: Map<number, number> };

export interface CallLimits {
  /** Milliseconds until a call that counts in these limits may be made. `share` is the part of each limit that it may use. */
  waitMs(names: readonly string[], now: Date, share?: number): number;
  /** Counts a call. */
  take(names: readonly string[], now: Date, calls?: number): void;
  names(): string[];
  toStored(now: Date): StoredLimits;
}

export function createCallLimits(limits: MarketingProvider['limits'], stored: StoredLimits = {}): CallLimits {
  const windows = new Map(
    Object.entries(limits).map(([name, own]) => [
      name,
      own.map((window, index): Window => ({ ...window, calls: new Map(stored[name]?.[index]) })),
    ]),
  );
  const windowsOf = (names: readonly string[]): Window[] => names.flatMap((name) => windows.get(name) ?? []);

  return {
    waitMs: (names, now, share = 1) =>
      Math.max(0, ...windowsOf(names).map((window) => waitOf(window, now.getTime(), share))),
    take(names, now, calls = 1) {
      for (const window of windowsOf(names)) {
        const slot = slotAt(window, now.getTime());
        window.calls.set(slot, (window.calls.get(slot) ?? 0) + calls);
      }
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

function waitOf(window: Window, nowMs: number, share: number): number {
  forgetOld(window, nowMs);
  const max = Math.max(1, Math.floor(window.count * share));
  let excess = [...window.calls.values()].reduce((sum, calls) => sum + calls, 0) - max + 1;
  if (excess <= 0) return 0;
  for (const [slot, calls] of [...window.calls].toSorted(([one], [other]) => one - other)) {
    excess -= calls;
    if (excess <= 0) return (slot + slotsOfWindow + 1) * slotMsOf(window) - nowMs;
  }
  return window.windowMs;
}
