import type { Delivery } from '../../trpc.ts';

export type Timed = Pick<Delivery['attemptLog'][number], 'timings' | 'durationMs'>;

interface Phase {
  name: string;
  phase: string;
  ms: number;
}

/** Consecutive phases whose sum is the duration of the attempt. `firstByteMs` is counted from the start of the attempt. */
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
