import { allKeys, firstFailure } from './entities.ts';
import type { CallFilter } from './schemas.ts';

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
