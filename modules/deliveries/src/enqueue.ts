import { createId, type AccountWriter } from '@service/database';

/** An event for one endpoint. The body is kept as it is and sent byte for byte on every try. */
export interface DeliveryDraft {
  endpointId: string;
  eventType: string;
  body: string;
  isRefire?: boolean;
}

// By the database's clock, like every comparison of due_at: a process whose clock is wrong delays nothing.
const insertDeliveries = `
  with draft as materialized (
    select *, now() + make_interval(secs => ?) as due_at
    from json_to_recordset(?::json) as d (id uuid, "endpointId" uuid, "eventType" text, body text, "isRefire" boolean)
  ), queued as (
    insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts)
    select id, ?, "endpointId", due_at, 0 from draft
  )
  insert into deliveries.delivery
    (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at)
  select id, ?, "endpointId", "eventType", body, "isRefire", ?, ? from draft`;

/** Writes deliveries and their places in the queue, all in one statement; returns their ids in the drafts' order. */
export async function insertDrafts(
  { em, accountId, now }: AccountWriter,
  drafts: readonly DeliveryDraft[],
  scheduleSeconds: readonly number[],
): Promise<string[]> {
  const rows = drafts.map(({ endpointId, eventType, body, isRefire = false }) => ({
    id: createId(),
    endpointId,
    eventType,
    body,
    isRefire,
  }));
  await em.execute(
    insertDeliveries,
    [
      scheduleSeconds[0],
      JSON.stringify(rows),
      accountId,
      accountId,
      scheduleSeconds.length,
      now.toISOString(),
    ],
    'run',
  );
  return rows.map((row) => row.id);
}
