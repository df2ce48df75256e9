// Rows of deliveries as a worker leaves them, with any time in the past.
import { createId } from '@service/database';
import type { DeliveryWorld } from './delivery-world.ts';

export interface HistoryRow {
  endpointId: string;
  at: Date;
  /** Of the last try. Left out, with `code`: it was not tried. */
  durationMs?: number;
  /** The answer to the last try, null for none. A try before it was answered with 418. */
  code?: number | null;
  state: 'success' | 'failure' | 'cancelled' | 'retrying' | 'queued';
  eventType?: string;
  registrationId?: string;
  accountId?: string;
}

/** Inserts deliveries, of the world's account by default. Returns their ids. */
export async function insertHistory(
  { database: { pool }, accountId }: Pick<DeliveryWorld, 'database' | 'accountId'>,
  rows: readonly HistoryRow[],
): Promise<string[]> {
  const made = rows.map(({ at, code, ...row }) => ({
    accountId,
    eventType: 'registered',
    ...row,
    id: createId(at),
    code,
    tries: code !== undefined ? 2 : row.durationMs === undefined ? 0 : 1,
  }));
  await pool.query(insertRows, [JSON.stringify(made)]);
  return made.map(({ id }) => id);
}

const insertRows = `
  with made as (
    select * from json_to_recordset($1) as made (id uuid, "accountId" uuid, "endpointId" uuid, "durationMs" integer, state text,
      "eventType" text, "registrationId" uuid, code smallint, tries integer)
  ), waiting as (
    insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
    select id, "accountId", "endpointId", now() + interval '1 hour', tries, tries
    from made where state in ('retrying', 'queued')
  ), tried as (
    insert into deliveries.attempt (delivery_id, number, account_id, url, started_at, duration_ms, response_code, failure)
    select id, number, "accountId", '', now(), coalesce("durationMs", 10 * number), case when number < tries then 418 else code end,
      case when number < tries or state <> 'success' then
        case when number = tries and code is null then 'timeout' else 'http_status' end end
    from made, generate_series(1, tries) number
  )
  insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at, ended_as,
    registration_id)
  select id, "accountId", "endpointId", "eventType", '{}', false, 3, now(),
    case when state in ('failure', 'cancelled') then state end, "registrationId"
  from made`;
