// The bars of the chart: one for each day, week or month of the workspace's time zone.
import type { Period } from '@service/catalogue';
import { addDays, mondayOf } from './days.ts';

export interface PeriodSums {
  /** As the API names it: a day, the Monday of a week, or a month. */
  key: string;
  grossMinor: number;
  /** Zero or negative, except in times with more reversals than refunds. */
  refundsMinor: number;
  chargebacksMinor: number;
  netMinor: number;
}

export interface NetBar extends Omit<PeriodSums, 'key'> {
  /** The first and the last day. */
  from: string;
  to: string;
}

/** The start of the period that follows the one of this day. */
const nextStarts: Record<Period, (day: string) => string> = {
  day: (day) => addDays(day, 1),
  week: (day) => addDays(mondayOf(day), 7),
  month: (day) => `${addDays(`${day.slice(0, 7)}-28`, 4).slice(0, 7)}-01`,
};

const keys: Record<Period, (day: string) => string> = {
  day: (day) => day,
  week: mondayOf,
  month: (day) => day.slice(0, 7),
};

/** Bars for the whole time, also for periods without events. The first and the last one may be cut. */
export function netBars(
  groups: readonly PeriodSums[],
  { from, to, period }: { from: string; to: string; period: Period },
): NetBar[] {
  const byKey = new Map(groups.map((group) => [group.key, group]));
  const bars: NetBar[] = [];
  for (let start = from; start <= to; start = nextStarts[period](start)) {
    const last = addDays(nextStarts[period](start), -1);
    const group = byKey.get(keys[period](start));
    bars.push({ from: start, to: last < to ? last : to, ...totalOf(group ? [group] : []) });
  }
  return bars;
}

const sums = ['grossMinor', 'refundsMinor', 'chargebacksMinor', 'netMinor'] as const;

export type Sums = Record<(typeof sums)[number], number>;

export const totalOf = (rows: readonly Sums[]): Sums =>
  rows.reduce<Sums>(
    (total, row) => {
      for (const name of sums) total[name] += row[name];
      return total;
    },
    { grossMinor: 0, refundsMinor: 0, chargebacksMinor: 0, netMinor: 0 },
  );

/** The money above and below zero of a bar, both positive. A reversal without a refund in its time counts above. */
export function heightsOf({ grossMinor, refundsMinor, chargebacksMinor }: Sums) {
  return {
    gross: grossMinor + Math.max(0, refundsMinor) + Math.max(0, chargebacksMinor),
    refunds: Math.max(0, -refundsMinor),
    chargebacks: Math.max(0, -chargebacksMinor),
  };
}

/** The sums of a bar with their words, in the order of the legend and the table. */
export const parts = [
  ['grossMinor', 'gross'],
  ['refundsMinor', 'refunds'],
  ['chargebacksMinor', 'chargebacks'],
  ['netMinor', 'net'],
] as const;
