/**
 * A transaction becomes visible a little later than its rows become due, and not in their order. So a scan begins this much
 * before the end of the last one, in seconds. The sweep finds what becomes visible even later.
 */
const overlapSeconds = 0.1;

/** Rows with due times closer together than this are scanned twice, so that none is missed, in seconds. */
const resolutionSeconds = 0.000_01;

/** The position of repeated scans of one part of the queue. Times are epoch seconds of the database. */
export interface Scan {
  readonly part: 'first tries' | 'retries';
  /** There is a reason to scan. */
  isDue: boolean;
  /** Makes the next scan begin at the beginning. */
  restart(): void;
  /** Begins a scan and returns the due time to begin at. `leavesOutAccounts`: some accounts are left out of this scan. */
  begin(leavesOutAccounts: boolean): number;
  end(seen: { until: number; isDry: boolean }): void;
  /** True if accounts were left out. They must be scanned when they have capacity again. */
  hasLeftOutAccounts(): boolean;
}

/**
 * Remembers how far the queue was scanned, so that a flood for one endpoint is stepped over once and not with every scan.
 * Endpoints that were left out have lanes that know their backlog. Accounts have no such memory: the scan keeps the position
 * from which accounts were left out. When they have capacity again, scans continue from there until they have caught up.
 */
export function createScan(part: Scan['part']): Scan {
  let scannedUntil = 0;
  let leftOutSince: number | undefined;
  let since = 0;
  let isCatchingUp = false;
  return {
    part,
    isDue: false,
    restart() {
      scannedUntil = 0;
      leftOutSince = undefined;
      this.isDue = true;
    },
    begin(leavesOutAccounts) {
      isCatchingUp = !leavesOutAccounts && leftOutSince !== undefined;
      if (leavesOutAccounts) leftOutSince ??= scannedUntil;
      since = isCatchingUp ? leftOutSince! : scannedUntil;
      this.isDue = false;
      return since;
    },
    end({ until, isDry }) {
      const reached = Math.max(since, isDry ? until - overlapSeconds : until - resolutionSeconds);
      if (!isCatchingUp) scannedUntil = reached;
      else if (!isDry) leftOutSince = reached;
      else {
        leftOutSince = undefined;
        scannedUntil = Math.max(scannedUntil, reached);
      }
      if (!isDry) this.isDue = true;
    },
    hasLeftOutAccounts: () => leftOutSince !== undefined,
  };
}
