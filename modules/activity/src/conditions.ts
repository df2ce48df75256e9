import { allKeys, firstFailure } from './entities.ts';
import type { CallFilter } from './schemas.ts';

interface Condition {
  sql: string;
  values: string[];
}

/** The condition of a filter on the rows of calls, without its time. Each part begins with `and`. */
export function rowCondition({ surface, keyId, requestId, status }: CallFilter): Condition {
  const parts = [
    surface && { sql: 'and surface = ?', values: [surface] },
    keyId && { sql: 'and key_id = ?', values: [keyId] },
    requestId && { sql: 'and request_id = ?', values: [requestId] },
    status && { sql: `and status ${status === 'success' ? '<' : '>='} ${firstFailure}`, values: [] },
  ].filter((part) => part !== undefined && part !== '');
  return { sql: parts.map(({ sql }) => sql).join(' '), values: parts.flatMap(({ values }) => values) };
}

/** The condition of a filter on the counts, without its time. Counts do not know request ids. */
export const countCondition = (accountId: string, { keyId = allKeys, surface }: CallFilter): Condition => ({
  sql: `account_id = ? and key_id = ? ${surface ? 'and surface = ?' : ''}`,
  values: [accountId, keyId, ...(surface ? [surface] : [])],
});

/** The expression for the number of calls in a row of counts that match a filter. */
export const countOf = ({ status }: CallFilter): string =>
  ({ success: 'successes', failure: 'failures', any: 'successes + failures' })[status ?? 'any'];
