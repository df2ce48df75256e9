import type { Span } from '@service/database';
import { allKeys, firstFailure } from './api-call.ts';
import type { CallFilter } from './schemas.ts';

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

const rangeMs: Record<CallFilter['range'], number> = {
  last_hour: hourMs,
  last_24_hours: dayMs,
  last_7_days: 7 * dayMs,
  last_30_days: 30 * dayMs,
  last_90_days: 90 * dayMs,
};

/** The clock of a process that records calls may be ahead by this much. */
const clockSkewMaxMs = dayMs;

/** The span of a filter, limited to the longest range. Without an end it includes the newest call. */
export function spanOf({ range, from, to }: Pick<CallFilter, 'range' | 'from' | 'to'>, now: Date): Span {
  const latest = now.getTime() + clockSkewMaxMs;
  const start = from === undefined ? now.getTime() - rangeMs[range] : Date.parse(from);
  return {
    from: new Date(Math.max(start, now.getTime() - rangeMs.last_90_days)),
    to: new Date(to === undefined ? latest : Math.min(Date.parse(to), latest)),
  };
}

export const overlap = (one: Span, other: Span): Span => ({
  from: one.from > other.from ? one.from : other.from,
  to: one.to < other.to ? one.to : other.to,
});

/**
 * The filters on the rows of calls, without account and time. `$first` and the next four parameters are `rowValues`. The planner
 * leaves out a filter that is null, because these statements have no name.
 */
export const rowFilters = (first: number): string => `
  and ($${first}::text is null or surface = $${first})
  and ($${first + 1}::uuid is null or key_id = $${first + 1})
  and ($${first + 2}::text is null or request_id = $${first + 2})
  and ($${first + 3}::boolean is null or (status < ${firstFailure}) = $${first + 3})
  and ($${first + 4}::text is null or error_code = $${first + 4})`;

export const rowValues = ({ surface, keyId, requestId, status, errorCode }: CallFilter): unknown[] => [
  surface ?? null,
  keyId ?? null,
  requestId ?? null,
  status === undefined ? null : status === 'success',
  errorCode ?? null,
];

/** True if the counts can answer the filter. They contain neither request ids nor error codes, which have indexes of their own. */
export const countsContain = ({ requestId, errorCode }: CallFilter): boolean =>
  requestId === undefined && errorCode === undefined;

/** The filters on the counts. $1 to $3 are `countValues`. */
export const countFilters = 'account_id = $1 and key_id = $2 and ($3::text is null or surface = $3)';

export const countValues = (accountId: string, { keyId = allKeys, surface }: CallFilter): unknown[] => [
  accountId,
  keyId,
  surface ?? null,
];
