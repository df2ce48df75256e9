import { createId, type AccountWriter } from '@service/database';

/** An event for one endpoint. The body is kept as it is and sent byte for byte on every try. */
export interface DeliveryDraft {
  endpointId: string;
  eventType: string;
  body: string;
  isRefire?: boolean;
  isTest?: boolean;
  /** The first delivery of what this one repeats. */
  redeliveryOf?: string;
}

// By the database's clock, like every comparison of due_at: a process whose clock is wrong delays nothing. And by the clock of
// this moment, just before the commit: workers do not look far behind what they have seen.
const insertDeliveries = {
  name: 'deliveries.insert_deliveries',
  text: `
    with draft as materialized (
      select *, clock_timestamp() + make_interval(secs => $2) as due_at
      from json_to_recordset($3::json) as d
        (id uuid, "endpointId" uuid, "eventType" text, body text, "isRefire" boolean, "isTest" boolean, "redeliveryOf" uuid)
    ), queued as (
      insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
      select id, $1, "endpointId", due_at, 0, 0 from draft
    )
    insert into deliveries.delivery
      (id, account_id, endpoint_id, event_type, body, is_refire, is_test, redelivery_of, attempts_max, created_at)
    select id, $1, "endpointId", "eventType", body, "isRefire", "isTest", "redeliveryOf", $4, $5 from draft`,
};

/** Writes deliveries and their places in the queue, all in one statement; returns their ids in the drafts' order. */
export function insertDrafts(
  { defer, accountId, now }: Pick<AccountWriter, 'defer' | 'accountId' | 'now'>,
  drafts: readonly DeliveryDraft[],
  scheduleSeconds: readonly number[],
): string[] {
  const rows = drafts.map((draft) => ({ id: createId(), isRefire: false, isTest: false, ...draft }));
  const [firstWaitSeconds] = scheduleSeconds;
  defer(insertDeliveries, [accountId, firstWaitSeconds, JSON.stringify(rows), scheduleSeconds.length, now]);
  return rows.map((row) => row.id);
}
