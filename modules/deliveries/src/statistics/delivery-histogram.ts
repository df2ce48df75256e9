// Counts of deliveries over time. The deliveries of quarters of an hour that have ended are counted already (`delivery-count.ts`);
// only those of the last minutes, and those that failed or were cancelled, are counted when the chart is read.
import { barsOf, idAt, idTime, quarterMs, wholeQuarters } from '@service/database';
import type { AccountQueries, Bars, Span } from '@service/database';
import { instant } from '@service/trpc';
import { z } from 'zod';
import { allEndpoints, storedSampleMax } from './delivery-count.ts';
import {
  countedMax,
  selectPartsOfAccount,
  selectPartsOfEndpoints,
  selectStored,
} from './delivery-histogram.sql.ts';

export const DeliveryHistogramOutput = z.object({
  /** The width of each bar. */
  seconds: z.int(),
  /** True if a bar has more failed or cancelled deliveries, or more of the last minutes, than the 20,000 that are counted. */
  isCapped: z.boolean(),
  /** Oldest first, without gaps. A delivery belongs to the bar in which it was created. */
  bars: z.array(
    z.object({
      from: instant(),
      success: z.int(),
      failure: z.int(),
      cancelled: z.int(),
      /** Queued, being sent or waiting for a retry. */
      waiting: z.int(),
      /**
       * Percentiles of the duration of the last attempt, of a sample of about 100 deliveries: of older ones, the last attempt in the
       * minutes after their quarter of an hour. Null without an attempt.
       */
      p50Ms: z.int().nullable(),
      p95Ms: z.int().nullable(),
    }),
  ),
});

export type DeliveryHistogram = z.input<typeof DeliveryHistogramOutput>;

export interface HistogramQuery {
  /** Deliveries to any of these endpoints; those of the account when left out. */
  endpointIds?: readonly string[] | undefined;
  from: Date;
  to: Date;
  /** The offset of the reader's time zone. */
  utcOffsetMinutes: number;
}

/** A time range has up to 90 days. */
const widths = {
  widthsMs: [1, 5, 15, 30, 60, 120, 240, 720, 1440, 2880].map((minutes) => minutes * 60_000),
  barsMax: 60,
};

/** Deliveries of a bar whose durations are read. */
const sampleMax = 100;

interface Bar {
  total: number;
  failure: number;
  cancelled: number;
  waiting: number;
  durations: number[];
}

/** Counts over time, of endpoints or of the account. */
export async function readHistogram(
  reader: AccountQueries,
  query: HistogramQuery,
): Promise<DeliveryHistogram> {
  const { from, to, utcOffsetMinutes } = query;
  const bars = barsOf({ from, to }, { ...widths, utcOffsetMinutes });
  const sums = bars.starts.map((): Bar => ({
    total: 0,
    failure: 0,
    cancelled: 0,
    waiting: 0,
    durations: [],
  }));
  const stored = await addStored(reader, query, { bars, sums });
  const parts = partsOf({ from, to }, bars, stored);
  // Those before the first whole quarter are counted apart, so that no plan has the partitions of all days between.
  const isEarly = (part: Part): boolean => stored !== undefined && part.to <= stored.from;
  const groups = [parts.filter(isEarly), parts.filter((part) => !isEarly(part))];
  const rows = (await Promise.all(groups.map((group) => countParts(reader, query, group)))).flat();
  for (const [index, { total, failure, cancelled, waiting, durations }] of rows.entries()) {
    const bar = sums[parts[index]!.bar]!;
    bar.total += total;
    bar.failure += failure;
    bar.cancelled += cancelled;
    bar.waiting += waiting;
    bar.durations.push(...numbersIn(durations));
  }
  return {
    seconds: bars.widthMs / 1000,
    isCapped: rows.some(
      ({ total, failure, cancelled }) => Math.max(total, failure + cancelled) === countedMax,
    ),
    bars: sums.map((bar, index) => ({ from: bars.starts[index]!.toISOString(), ...barToOutput(bar) })),
  };
}

/** Counts the deliveries of consecutive parts. */
async function countParts(
  { query, accountId }: AccountQueries,
  { endpointIds }: HistogramQuery,
  parts: readonly Part[],
) {
  const [first, last] = [parts[0], parts.at(-1)];
  if (first === undefined || last === undefined) return [];
  const live = parts.filter(({ isLive }) => isLive);
  return query(endpointIds === undefined ? selectPartsOfAccount : selectPartsOfEndpoints, [
    accountId,
    endpointIds ?? null,
    parts.map((part) => idAt(part.from)),
    parts.map((part) => idAt(part.to)),
    parts.map(({ isLive }) => isLive),
    idAt(first.from),
    idAt(last.to),
    idAt(live[0]?.from ?? last.to),
    idAt(live.at(-1)?.to ?? last.to),
    sampleOf(endpointIds),
  ]);
}

/** Adds the stored counts of the whole quarters within the range. Returns the time that they cover, from the first of them on. */
async function addStored(
  { query, accountId }: AccountQueries,
  { endpointIds, from, to }: HistogramQuery,
  { bars, sums }: { bars: Bars; sums: Bar[] },
): Promise<Span | undefined> {
  const whole = wholeQuarters({ from, to }, bars);
  if (whole === undefined) return undefined;
  const each = sampleOf(endpointIds);
  const rows = await query(selectStored, [
    accountId,
    endpointIds ?? [allEndpoints],
    bars.starts.map(idAt),
    idAt(whole.from),
    idAt(whole.to),
    Math.ceil(each / storedSampleMax),
    Math.min(each, storedSampleMax),
  ]);
  for (const { number, total, durations } of rows) {
    sums[number - 1]!.total = total;
    sums[number - 1]!.durations = numbersIn(durations);
  }
  if (rows.length === 0) return undefined;
  // Quarters are counted in their order, so everything before the last one is counted too.
  const lastMs = Math.max(...rows.map(({ lastId }) => idTime(lastId).getTime()));
  return { from: whole.from, to: new Date(lastMs + quarterMs) };
}

/** Deliveries of each endpoint whose durations are read for a bar. */
const sampleOf = (endpointIds: readonly string[] | undefined): number =>
  Math.max(1, Math.floor(sampleMax / Math.max(1, endpointIds?.length ?? 1)));

const numbersIn = (list: string | null): number[] => (list === null ? [] : list.split(',').map(Number));

function barToOutput({ total, failure, cancelled, waiting, durations }: Bar) {
  durations.sort((a, b) => a - b);
  return {
    success: Math.max(0, total - failure - cancelled - waiting),
    failure,
    cancelled,
    waiting,
    p50Ms: percentile(durations, 0.5),
    p95Ms: percentile(durations, 0.95),
  };
}

/** The lowest of the sorted values that is not below this share of them, like percentile_disc of Postgres. */
const percentile = (sorted: readonly number[], share: number): number | null =>
  sorted[Math.ceil(sorted.length * share) - 1] ?? null;

/** A part of a bar whose deliveries are either all in stored counts, or all counted now. */
interface Part {
  /** The index of its bar. */
  bar: number;
  from: Date;
  to: Date;
  isLive: boolean;
}

/** The parts of all bars, oldest first and without gaps. `stored` is the time with stored counts, if there is any. */
export function partsOf(span: Span, { starts }: Bars, stored: Span | undefined): Part[] {
  const borders = [...starts.slice(1), ...(stored ? [stored.from, stored.to] : [])]
    .map((border) => border.getTime())
    .filter((border) => border > span.from.getTime() && border < span.to.getTime());
  const times = [...new Set([span.from.getTime(), ...borders])].toSorted((a, b) => a - b);
  return times.map((fromMs, index) => ({
    bar: starts.findLastIndex((start) => start.getTime() <= fromMs),
    from: new Date(fromMs),
    to: new Date(times[index + 1] ?? span.to.getTime()),
    isLive: stored === undefined || fromMs < stored.from.getTime() || fromMs >= stored.to.getTime(),
  }));
}
