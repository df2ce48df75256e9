// Whole quarters of an hour are summed from the counts. Parts of a quarter, and bars narrower than one, are summed from the calls.
import { idAt, type AccountReader } from '@service/database';
import type { z } from 'zod';
import { countCondition, rowCondition } from './conditions.ts';
import { firstFailure } from './entities.ts';
import type { CallFilter, HistogramInput, HistogramOutput } from './schemas.ts';
import { barStarts, barWidth, ceilTo, floorTo, quarterMs, spanOf, type Span } from './span.ts';

type Histogram = z.input<typeof HistogramOutput>['data'];

interface Sum {
  /** The number of its bar, from 1. */
  bar: number;
  success: number;
  failure: number;
}

/** Calls with one request id that are counted at most: a caller may send the same id with every call. */
const sameRequestMax = 10_000;

export async function histogramOf(
  reader: AccountReader,
  { utcOffsetMinutes, ...filter }: HistogramInput,
): Promise<Histogram> {
  const span = spanOf(filter, reader.now);
  // Without an end the last bar also contains the calls of processes whose clock is ahead.
  const shown = { from: span.from, to: span.to > reader.now ? reader.now : span.to };
  const widthMs = barWidth(shown);
  const starts = barStarts(shown, { widthMs, offsetMs: utcOffsetMinutes * 60_000 });
  const bars = starts.map((from) => ({ from: from.toISOString(), success: 0, failure: 0 }));
  for (const { bar, success, failure } of await sums(reader, filter, { span, starts, widthMs })) {
    bars[bar - 1]!.success += success;
    bars[bar - 1]!.failure += failure;
  }
  return { seconds: widthMs / 1000, bars };
}

async function sums(
  reader: AccountReader,
  filter: CallFilter,
  { span, starts, widthMs }: { span: Span; starts: readonly Date[]; widthMs: number },
): Promise<Sum[]> {
  const whole = { from: ceilTo(quarterMs, span.from), to: floorTo(quarterMs, span.to) };
  if (widthMs < quarterMs || filter.requestId !== undefined || whole.from >= whole.to)
    return sumRows(reader, filter, { span, starts });
  const before = { from: span.from, to: whole.from };
  const after = { from: whole.to, to: span.to };
  return [
    ...(await sumRows(reader, filter, { span: before, starts })),
    ...(await sumCounts(reader, filter, { span: whole, starts })),
    ...(await sumRows(reader, filter, { span: after, starts })),
  ];
}

interface Bars {
  span: Span;
  starts: readonly Date[];
}

async function sumRows(
  { em, accountId }: AccountReader,
  filter: CallFilter,
  { span, starts }: Bars,
): Promise<Sum[]> {
  if (span.from >= span.to) return [];
  const { sql, values } = rowCondition(filter);
  return em.execute<Sum[]>(
    `select width_bucket(id, array[?]::uuid[]) as bar,
       count(*) filter (where status < ${firstFailure})::float8 as success,
       count(*) filter (where status >= ${firstFailure})::float8 as failure
     from (
       select id, status from activity.api_call
       where account_id = ? and id >= ? and id < ? ${sql}
       ${filter.requestId === undefined ? '' : `order by id desc limit ${sameRequestMax}`}
     ) call
     group by 1`,
    [starts.map(idAt), accountId, idAt(span.from), idAt(span.to), ...values],
  );
}

async function sumCounts(
  { em, accountId }: AccountReader,
  filter: CallFilter,
  { span, starts }: Bars,
): Promise<Sum[]> {
  const { sql, values } = countCondition(accountId, filter);
  const column = (status: 'success' | 'failure', name: string) =>
    filter.status === undefined || filter.status === status ? `sum(${name})::float8` : '0';
  return em.execute<Sum[]>(
    `select width_bucket(starts_at, array[?]::timestamptz[]) as bar,
       ${column('success', 'successes')} as success, ${column('failure', 'failures')} as failure
     from activity.api_call_count
     where ${sql} and starts_at >= ? and starts_at < ?
     group by 1`,
    [starts.map((start) => start.toISOString()), ...values, span.from.toISOString(), span.to.toISOString()],
  );
}
