import { useState } from 'react';
import type { DeliveryHistogram } from '../../trpc.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The times of the numbers. They stay the same while the page is open, or each render would ask again. */
export function useTimes() {
  const [times] = useState(() => {
    const nowMs = Math.ceil(Date.now() / hourMs) * hourMs;
    const at = (days: number): string => new Date(nowMs - days * dayMs).toISOString();
    return {
      nowMs,
      week: { from: at(7), to: at(0) },
      month: { from: at(30), to: at(0) },
      monthBefore: { from: at(60), to: at(30) },
    };
  });
  return times;
}

const sumOf = (histogram: DeliveryHistogram | undefined, name: 'success' | 'failure'): number =>
  histogram?.bars.reduce((sum, bar) => sum + bar[name], 0) ?? 0;

export const successesOf = (histogram: DeliveryHistogram | undefined): number => sumOf(histogram, 'success');
export const failuresOf = (histogram: DeliveryHistogram | undefined): number => sumOf(histogram, 'failure');
