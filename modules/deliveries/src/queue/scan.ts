/**
 * Transactions become visible a little later than their rows became due, and in another order: a look at the queue begins this
 * much before the end of the last one, in seconds. What comes later still is found by the sweep.
 */
const overlapSeconds = 0.1;

/** Two rows that became due closer together than this are looked at twice rather than not at all, in seconds. */
const resolutionSeconds = 0.000_01;

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
 * that were left out have lanes which know that there is more. Accounts have not: the place from which they were left out is
 * kept, and once they have room the looks go on from there, until they have caught up.
 */
export function createScan(which: Scan['which']): Scan {
  let lookedUntil = 0;
  let leftOutSince: number | undefined;
  let since = 0;
  let isCatchingUp = false;
  return {
    which,
    isDue: false,
    beginAnew() {
      lookedUntil = 0;
      leftOutSince = undefined;
      this.isDue = true;
    },
    begin(isCutShort) {
      isCatchingUp = !isCutShort && leftOutSince !== undefined;
      if (isCutShort) leftOutSince ??= lookedUntil;
      since = isCatchingUp ? leftOutSince! : lookedUntil;
      this.isDue = false;
      return since;
    },
    end({ until, isDry }) {
      const reached = Math.max(since, isDry ? until - overlapSeconds : until - resolutionSeconds);
      if (!isCatchingUp) lookedUntil = reached;
      else if (!isDry) leftOutSince = reached;
      else {
        leftOutSince = undefined;
        lookedUntil = Math.max(lookedUntil, reached);
      }
      if (!isDry) this.isDue = true;
    },
    wasCutShort: () => leftOutSince !== undefined,
  };
}
