/**
 * Transactions become visible in another order than their rows became due: a look at the queue begins this much before the
 * end of the last one, in seconds. What comes later still is found by the sweep.
 */
const overlapSeconds = 0.5;

/** How far one part of the queue has been looked at. Times are epoch seconds of the database. */
export interface Scan {
  readonly which: 'first tries' | 'retries';
  /** Whether there is a reason to look. */
  isDue: boolean;
  /** All of it has to be looked at. */
  beginAnew(): void;
  /** Since when to look now; `isCutShort` says that some accounts are left out this time. */
  begin(isCutShort: boolean): number;
  end(seen: { until: number; isDry: boolean }): void;
  /** Whether accounts were left out that have to be looked at when they have room again. */
  wasCutShort(): boolean;
}

/**
 * Remembers what was looked at, so that a flood for one endpoint is waded through once and not with every look. Endpoints
 * that were left out have lanes which know that there is more; accounts have not, so for them the place is kept.
 */
export function createScan(which: Scan['which']): Scan {
  let lookedUntil = 0;
  let goBackTo: number | undefined;
  let since = 0;
  return {
    which,
    isDue: false,
    beginAnew() {
      lookedUntil = 0;
      goBackTo = undefined;
      this.isDue = true;
    },
    begin(isCutShort) {
      since = isCutShort ? lookedUntil : (goBackTo ?? lookedUntil);
      if (isCutShort) goBackTo ??= lookedUntil;
      else goBackTo = undefined;
      this.isDue = false;
      return since;
    },
    end({ until, isDry }) {
      lookedUntil = Math.max(since, isDry ? until - overlapSeconds : until - 0.000_001);
      if (!isDry) this.isDue = true;
    },
    wasCutShort: () => goBackTo !== undefined,
  };
}
