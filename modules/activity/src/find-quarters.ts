// The counts show which quarters of an hour contain calls of a filter, and a list reads only those. So the calls of a key that was
// used twice in ninety days are found at once, without an index of keys on every row
// (infra/decisions/20261120-activity-call-counts.md).
import { column, statement, type AccountReader } from '@service/database';
import { countFilters, countValues } from './conditions.ts';
import type { CallFilter } from './schemas.ts';
import { floorTo, quarterMs, type Span } from './span.ts';

/**
 * The spans, newest first, that contain the `wanted` newest calls of a filter, or all calls if there are fewer. Neighbouring
 * quarters are one span. The filter must be one that the counts contain.
 */
export async function findQuarters(
  { query, accountId }: AccountReader,
  filter: CallFilter,
  { span, wanted }: { span: Span; wanted: number },
): Promise<Span[]> {
  const quarters = await query(selectQuarters, [
    ...countValues(accountId, filter),
    filter.status ?? null,
    floorTo(quarterMs, span.from),
    span.to,
    wanted + 1,
  ]);
  const found: Span[] = [];
  let calls = 0;
  for (const quarter of quarters) {
    const [from, to] = [new Date(quarter.startsAt), new Date(quarter.startsAt + quarterMs)];
    const newer = found.at(-1);
    if (newer?.from.getTime() === to.getTime()) newer.from = from;
    else found.push({ from, to });
    // The end of the span may lie inside the newest quarter. The number of its calls before that end is unknown.
    if (to <= span.to) calls += quarter.calls;
    if (calls >= wanted) break;
  }
  return found;
}

const countOfStatus = `case $4::text when 'success' then successes when 'failure' then failures else successes + failures end`;

const selectQuarters = statement({
  text: `
    select (extract(epoch from starts_at) * 1000)::float8 as "startsAt", sum(${countOfStatus})::float8 as calls
    from activity.api_call_count
    where ${countFilters} and ${countOfStatus} > 0 and starts_at >= $5 and starts_at < $6
    group by starts_at order by starts_at desc limit $7`,
  row: { startsAt: column.float, calls: column.float },
});
