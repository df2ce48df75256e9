import type { Opening } from './openings.ts';

/** How long the steps of a request took, in whole milliseconds; over all hops when it was redirected. */
export interface SendTimings {
  /** Null when nothing was looked up (the connection was open already, the host is an IP address) or that failed. */
  dnsMs: number | null;
  /** Null when the connection was open already, or could not be opened. */
  connectMs: number | null;
  /** As connectMs, and null for plain http. */
  tlsMs: number | null;
  /** From the start of the first hop to the headers that the last one received; null when it received none. */
  firstByteMs: number | null;
}

/** Adds what one hop waited for its connection, which may have been begun before it for a request that gave up. */
export function addOpening(timings: SendTimings, opening: Opening, hopStartedAt: number): void {
  const { startedAt, lookedUpAt, connectedAt, securedAt } = opening;
  const add = (sum: number | null, from: number, to: number | null): number | null =>
    to === null ? sum : (sum ?? 0) + Math.round(Math.max(0, to - Math.max(from, hopStartedAt)));
  timings.dnsMs = add(timings.dnsMs, startedAt, lookedUpAt);
  timings.connectMs = add(timings.connectMs, lookedUpAt ?? startedAt, connectedAt);
  timings.tlsMs = add(timings.tlsMs, connectedAt ?? startedAt, securedAt);
}
