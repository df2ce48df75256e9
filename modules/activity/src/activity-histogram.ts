// Whole quarters of an hour are summed from the counts. Parts of a quarter, and bars narrower than one, are summed from the calls.
import { barsOf, column, idAt, quarterMs, statement, wholeQuarters } from '@service/database';
import type { AccountReader, Span } from '@service/database';
import type { z } from 'zod';
import { firstFailure } from './api-call.ts';
import { countFilters, countsContain, countValues, rowFilters, rowValues, spanOf } from './call-filter.ts';
import type { CallFilter, HistogramInput, HistogramOutput } from './schemas.ts';

type Histogram = z.input<typeof HistogramOutput>['data'];

interface Sum {
  /** The number of its bar, from 1. */
  bar: number;
  success: number;
  failure: number;
}

/** Calls with one request id or one error code that are counted at most: every call can have the same. */
const sameValueMax = 10_000;

const hourMs = 3_600_000;

const widths = {
  widthsMs: [60_000, quarterMs, 2 * quarterMs, ...[1, 2, 4, 8, 12, 24].map((hours) => hours * hourMs)],
  barsMax: 100,
};

export async function histogramOf(
  reader: AccountReader,
  { utcOffsetMinutes, ...filter }: HistogramInput,
): Promise<Histogram> {
  const span = spanOf(filter, reader.now);
  // Without an end the last bar also contains the calls of processes whose clock is ahead.
  const shown = { from: span.from, to: span.to > reader.now ? reader.now : span.to };
  const { widthMs, starts } = barsOf(shown, { ...widths, utcOffsetMinutes });
  const bars = starts.map((from) => ({ from: from.toISOString(), success: 0, failure: 0 }));
  const whole = countsContain(filter) ? wholeQuarters(span, { widthMs, starts }) : undefined;
  const sums = whole
    ? [
        ...(await sumRows(reader, filter, { span: { from: span.from, to: whole.from }, starts })),
        ...(await sumCounts(reader, filter, { span: whole, starts })),
        ...(await sumRows(reader, filter, { span: { from: whole.to, to: span.to }, starts })),
      ]
    : await sumRows(reader, filter, { span, starts });
  for (const { bar, success, failure } of sums) {
    bars[bar - 1]!.success += success;
    bars[bar - 1]!.failure += failure;
  }
  return { seconds: widthMs / 1000, bars };
}

interface SumOptions {
  span: Span;
  starts: readonly Date[];
}

async function sumRows(
  { query, accountId }: AccountReader,
  filter: CallFilter,
  { span, starts }: SumOptions,
): Promise<Sum[]> {
  if (span.from >= span.to) return [];
  return query(countsContain(filter) ? sumCalls : sumCallsOfValue, [
    accountId,
    starts.map(idAt),
    idAt(span.from),
    idAt(span.to),
    ...rowValues(filter),
  ]);
}

const sumRow = { bar: column.integer, success: column.float, failure: column.float };

// These statements have no name, so that only the partitions of the span are planned.
const sumOfCalls = (limit: string): string => `
    select width_bucket(id, $2::uuid[]) as bar,
      count(*) filter (where status < ${firstFailure})::float8 as success,
      count(*) filter (where status >= ${firstFailure})::float8 as failure
    from (
      select id, status from activity.api_call
      where account_id = $1 and id >= $3 and id < $4 ${rowFilters(5)} ${limit}
    ) call
    group by 1`;

const sumCalls = statement({ text: sumOfCalls(''), row: sumRow });

const sumCallsOfValue = statement({
  text: sumOfCalls(`order by id desc limit ${sameValueMax}`),
  row: sumRow,
});

async function sumCounts(
  { query, accountId }: AccountReader,
  filter: CallFilter,
  { span, starts }: SumOptions,
): Promise<Sum[]> {
  const sumsOfAll = await query(sumQuarters, [...countValues(accountId, filter), starts, span.from, span.to]);
  return sumsOfAll.map(({ bar, success, failure }) => ({
    bar,
    success: filter.status === 'failure' ? 0 : success,
    failure: filter.status === 'success' ? 0 : failure,
  }));
}

const sumQuarters = statement({
  text: `
    select width_bucket(starts_at, $4::timestamptz[]) as bar, sum(successes)::float8 as success,
      sum(failures)::float8 as failure
    from activity.api_call_count
    where ${countFilters} and starts_at >= $5 and starts_at < $6
    group by 1`,
  row: sumRow,
});
