import type { Delivery } from '../../trpc.ts';

export type Timed = Pick<Delivery['attemptLog'][number], 'timings' | 'durationMs'>;

interface Phase {
  name: string;
  phase: string;
  ms: number;
}

/** One after the other, so that together they are as long as the attempt; the first byte is counted from its start. */
export function timingPhases({ timings, durationMs }: Timed): Phase[] {
  const { dnsMs, connectMs, tlsMs, firstByteMs } = timings;
  const opening = [
    { name: 'DNS', phase: 'dns', ms: dnsMs },
    { name: 'Connect', phase: 'connect', ms: connectMs },
    { name: 'TLS', phase: 'tls', ms: tlsMs },
  ].flatMap(({ ms, ...phase }) => (ms === null ? [] : [{ ...phase, ms }]));
  const openedMs = opening.reduce((sum, { ms }) => sum + ms, 0);
  if (firstByteMs === null) {
    if (opening.length === 0) return [];
    return [...opening, { name: 'No answer', phase: 'rest', ms: Math.max(0, durationMs - openedMs) }];
  }
  return [
    ...opening,
    { name: 'First byte', phase: 'first-byte', ms: Math.max(0, firstByteMs - openedMs) },
    { name: 'Rest', phase: 'rest', ms: Math.max(0, durationMs - firstByteMs) },
  ];
}
