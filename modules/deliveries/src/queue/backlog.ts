import type { Database } from '@service/database';
import { measureQueue } from './backlog.sql.ts';

/** How the queue is, over all workers. Counts go up to 100,000; ages are by the database's clock, 0 when there is none. */
export interface Backlog {
  /** May be sent now, what is under way included. */
  due: number;
  /** Wait for their next try. */
  later: number;
  /** Wait until their endpoint, which is paused, answers again. */
  held: number;
  /** How long the oldest due delivery that no worker holds has been due. */
  oldestDueAgeSeconds: number;
  /** How long ago the oldest held delivery was made. */
  oldestHeldAgeSeconds: number;
  /** The endpoint with the oldest due or held delivery. */
  worstEndpoint: { accountId: string; endpointId: string; ageSeconds: number } | null;
  failingEndpoints: number;
  pausedEndpoints: number;
}

interface BacklogRow {
  due: number;
  later: number;
  held: number;
  oldest_due_age: number;
  oldest_held_age: number;
  account_id: string | null;
  endpoint_id: string | null;
  age: number | null;
  failing: number;
  paused: number;
}

/** Measures the queue, cheaply enough for every scrape of every worker. */
export async function measureBacklog(pool: Database['pool']): Promise<Backlog> {
  // Without a name, so that each execution is planned for the queue as it is.
  const { rows } = await pool.query<BacklogRow>(measureQueue);
  const row = rows[0]!;
  const { account_id: accountId, endpoint_id: endpointId, age } = row;
  return {
    due: row.due,
    later: row.later,
    held: row.held,
    oldestDueAgeSeconds: row.oldest_due_age,
    oldestHeldAgeSeconds: row.oldest_held_age,
    worstEndpoint:
      accountId !== null && endpointId !== null && age !== null
        ? { accountId, endpointId, ageSeconds: age }
        : null,
    failingEndpoints: row.failing,
    pausedEndpoints: row.paused,
  };
}
