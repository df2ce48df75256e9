import type { Opening } from './openings.ts';

/** The lengths of the steps of a request in whole milliseconds, summed over all hops. */
export interface SendTimings {
  /** Null without a lookup (open connection, IP address) and when the lookup failed. */
  dnsMs: number | null;
  /** Null for an open connection and when it could not be opened. */
  connectMs: number | null;
  /** Like connectMs. Null for plain http. */
  tlsMs: number | null;
  /** From the start of the first hop to the headers of the last one. Null without headers. */
  firstByteMs: number | null;
}

/** Adds the wait of one hop for its connection. An earlier request that gave up may have started the opening. */
export function addOpening(timings: SendTimings, opening: Opening, hopStartedAt: number): void {
  const { startedAt, lookedUpAt, connectedAt, securedAt } = opening;
  const add = (sum: number | null, from: number, to: number | null): number | null =>
    to === null ? sum : (sum ?? 0) + Math.round(Math.max(0, to - Math.max(from, hopStartedAt)));
  timings.dnsMs = add(timings.dnsMs, startedAt, lookedUpAt);
  timings.connectMs = add(timings.connectMs, lookedUpAt ?? startedAt, connectedAt);
  timings.tlsMs = add(timings.tlsMs, connectedAt ?? startedAt, securedAt);
}
