import type { CallFilter } from './schemas.ts';
import { firstFailure } from './status.ts';

export interface Condition {
  sql: string;
  values: string[];
}

/** What a filter asks of a call beside its time, each part with a leading `and`. */
export function rowCondition({ surface, keyId, requestId, status }: CallFilter): Condition {
  const parts = [
    surface && { sql: 'and surface = ?', values: [surface] },
    keyId && { sql: 'and key_id = ?', values: [keyId] },
    requestId && { sql: 'and request_id = ?', values: [requestId] },
    status && { sql: `and status ${status === 'success' ? '<' : '>='} ${firstFailure}`, values: [] },
  ].filter((part) => part !== undefined && part !== '');
  return { sql: parts.map(({ sql }) => sql).join(' '), values: parts.flatMap(({ values }) => values) };
}
