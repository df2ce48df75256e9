import { useState } from 'react';
import type { DeliveryHistogram } from '../../trpc.ts';

const dayMs = 86_400_000;

/** The times of the numbers: whole days in UTC, with today. They stay the same while the page is open, or each render would ask again. */
export function useTimes() {
  const [times] = useState(() => {
    const nowMs = Date.now();
    const endMs = Math.ceil(nowMs / dayMs) * dayMs;
    const at = (days: number): string => new Date(endMs - days * dayMs).toISOString();
    return {
      nowMs,
      weekFrom: at(7),
      month: { from: at(30), to: at(0) },
      monthBefore: { from: at(60), to: at(30) },
      /** One histogram of deliveries serves all numbers: its bars are days. */
      months: { from: at(60), to: at(0) },
    };
  });
  return times;
}

/** The ended deliveries of the days since a time, or until another. */
export function countEnded(
  histogram: DeliveryHistogram | undefined,
  end: 'success' | 'failure',
  { from = '', to = '~' }: { from?: string; to?: string },
): number {
  const bars = histogram?.bars.filter((bar) => bar.from >= from && bar.from < to) ?? [];
  return bars.reduce((sum, bar) => sum + bar[end], 0);
}
