import { createId, statement, type AccountWriter } from '@service/database';

/** A delivery to be made. The body is stored unchanged and sent byte for byte on every try. */
export interface DeliveryDraft {
  endpointId: string;
  eventType: string;
  body: string;
  isRefire?: boolean;
  isTest?: boolean;
  /** The first delivery of the same message. */
  redeliveryOf?: string | undefined;
  /** The registration that the message is about. */
  registrationId?: string | undefined;
}

/** A draft whose id was made before. */
export interface IdentifiedDraft extends DeliveryDraft {
  id?: string;
}

// due_at is the database's time, like in every comparison of due_at, so a process with a wrong clock delays nothing. And it is
// the time just before the commit: a scan begins only 0.1 s before the end of the last one.
const insertDeliveries = statement({
  name: 'deliveries.insert_deliveries',
  text: `
    with draft as materialized (
      select *, clock_timestamp() + make_interval(secs => $2) as due_at
      from json_to_recordset($3::json) as d
        (id uuid, "endpointId" uuid, "eventType" text, body text, "isRefire" boolean, "isTest" boolean, "redeliveryOf" uuid,
         "registrationId" uuid)
    ), queued as (
      insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
      select id, $1, "endpointId", due_at, 0, 0 from draft
    )
    insert into deliveries.delivery
      (id, account_id, endpoint_id, event_type, body, is_refire, is_test, redelivery_of, registration_id, attempts_max, created_at)
    select id, $1, "endpointId", "eventType", body, "isRefire", "isTest", "redeliveryOf", "registrationId",
      case when "isTest" then 1 else $4 end, $5
    from draft`,
});

/** Writes deliveries and their rows of the queue in one statement with the commit. Returns their ids in the order of the drafts. */
export function insertDrafts(
  { defer, accountId, now }: Pick<AccountWriter, 'defer' | 'accountId' | 'now'>,
  drafts: readonly IdentifiedDraft[],
  scheduleSeconds: readonly number[],
): string[] {
  const rows = drafts.map((draft) => ({ id: createId(), isRefire: false, isTest: false, ...draft }));
  const [firstWaitSeconds] = scheduleSeconds;
  defer(insertDeliveries, [accountId, firstWaitSeconds, JSON.stringify(rows), scheduleSeconds.length, now]);
  return rows.map((row) => row.id);
}
