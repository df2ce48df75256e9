// Rows of deliveries as a worker leaves them, with any time in the past.
import { createId } from '@service/database';
import type { DeliveryWorld } from './delivery-world.ts';

export interface HistoryRow {
  endpointId: string;
  at: Date;
  /** Left out: it was not tried. */
  durationMs?: number;
  state: 'success' | 'failure' | 'cancelled' | 'retrying' | 'queued';
}

/** Inserts deliveries of the world's account. Returns their ids. */
export async function insertHistory(
  { database: { pool }, accountId }: Pick<DeliveryWorld, 'database' | 'accountId'>,
  rows: readonly HistoryRow[],
): Promise<string[]> {
  const made = rows.map((row) => ({ ...row, id: createId(row.at), at: undefined }));
  await pool.query(
    `with made as (
       select * from json_to_recordset($2) as made (id uuid, "endpointId" uuid, "durationMs" integer, state text)
     ), waiting as (
       insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
       select id, $1, "endpointId", now() + interval '1 hour', 0, 0 from made where state in ('retrying', 'queued')
     ), tried as (
       insert into deliveries.attempt (delivery_id, number, account_id, url, started_at, duration_ms, failure)
       select id, 1, $1, '', now(), "durationMs", case when state = 'success' then null else 'timeout' end
       from made where "durationMs" is not null
     )
     insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at, ended_as)
     select id, $1, "endpointId", 'registered', '{}', false, 3, now(), case when state in ('failure', 'cancelled') then state end
     from made`,
    [accountId, JSON.stringify(made)],
  );
  return made.map(({ id }) => id);
}
