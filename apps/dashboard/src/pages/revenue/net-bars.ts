// The bars of the chart: one for each day of UTC, or for several days when the time is long.

export interface DaySums {
  /** YYYY-MM-DD */
  day: string;
  grossMinor: number;
  /** Zero or negative, except on days with more reversals than refunds. */
  refundsMinor: number;
  chargebacksMinor: number;
  netMinor: number;
}

export interface NetBar extends Omit<DaySums, 'day'> {
  /** ISO 8601. The end is exclusive. */
  from: string;
  to: string;
}

const dayMs = 24 * 3_600_000;
/** A bar of fewer pixels could not be picked on a phone. */
const barsMax = 92;

/** The days that a bar covers. Reports have at most 400 days. */
const daysPerBar = (days: number): number => (days <= barsMax ? 1 : 7);

/** Bars for the whole time, also for days without events. `from` and `to` are starts of days, ISO 8601. */
export function netBars(days: readonly DaySums[], { from, to }: { from: string; to: string }): NetBar[] {
  const [startMs, endMs] = [Date.parse(from), Date.parse(to)];
  const perBarMs = daysPerBar((endMs - startMs) / dayMs) * dayMs;
  const bars = Array.from(
    { length: Math.max(1, Math.ceil((endMs - startMs) / perBarMs)) },
    (_unused, index) =>
      emptyBar(startMs + index * perBarMs, Math.min(endMs, startMs + (index + 1) * perBarMs)),
  );
  for (const day of days) {
    const bar = bars[Math.floor((Date.parse(day.day) - startMs) / perBarMs)];
    if (!bar) continue;
    for (const name of sums) bar[name] += day[name];
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

const emptyBar = (fromMs: number, toMs: number): NetBar => ({
  from: new Date(fromMs).toISOString(),
  to: new Date(toMs).toISOString(),
  ...totalOf([]),
});

/** The money above and below zero of a bar, both positive. A reversal without a refund on its day counts above. */
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
