import { createId, statement, type AccountWriter } from '@service/database';
import { currentTraceparent, startSpan } from '@service/log';
import { addUsage, bodyBytes, deliveryBytes, endedBytes } from '../account/delivery-usage.ts';
import { accountUsage, type Quota } from '../account/quota.ts';
import { dayOf } from '../delivery.ts';

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

export interface EnqueueOptions {
  /** Seconds before each try. */
  scheduleSeconds: readonly number[];
  quota: Quota;
}

// due_at is the database's time, like in every comparison of due_at, so a process with a wrong clock delays nothing. And it is
// the time just before the commit: a scan begins only 0.1 s before the end of the last one.
//
// Beyond the limits of the account a delivery ends at once. The caller of a redelivery has compared the limits before (`requireRoom`).
// A test is refused only when no more can be stored, because it shows whether an endpoint is repaired and it does not stay in the queue.
const insertDeliveries = statement({
  name: 'deliveries.insert_deliveries',
  text: `
    with draft as materialized (
      select *, row_number() over () as place, clock_timestamp() + make_interval(secs => $2) as due_at
      from json_to_recordset($3::json) as d
        (id uuid, "endpointId" uuid, "eventType" text, "bodyId" uuid, "isRefire" boolean, "isTest" boolean, "redeliveryOf" uuid,
         "registrationId" uuid, trace text)
    ), content as materialized (
      select id, body from json_to_recordset($6::json) as c (id uuid, body text)
    ), used as materialized (
      ${accountUsage('$7', '$8')}
    ), decided as materialized (
      select draft.*, "redeliveryOf" is null and (used.is_storage_full or (not "isTest" and (draft.place > used.room or coalesce((
          select is_full and state <> 'draining' from deliveries.endpoint_health health
          where health.endpoint_id = "endpointId" and health.account_id = $1), false)))) as is_refused
      from draft cross join used
    ), queued as (
      insert into deliveries.due (delivery_id, account_id, endpoint_id, due_at, attempts, tries)
      select id, $1, "endpointId", due_at, 0, 0 from decided where not is_refused
    ), kept as (
      insert into deliveries.body (id, account_id, body) select id, $1, body from content
    ), added as (
      select $1::uuid as account_id, count(*) filter (where not is_refused) as waiting,
        $9::bigint + ${endedBytes} * count(*) filter (where is_refused) as bytes
      from decided
    ), ${addUsage('added')}
    insert into deliveries.delivery
      (id, account_id, endpoint_id, event_type, body_id, is_refire, is_test, redelivery_of, registration_id, attempts_max,
       created_at, ended_as, failure, trace)
    select id, $1, "endpointId", "eventType", "bodyId", "isRefire", "isTest", "redeliveryOf", "registrationId",
      case when "isTest" then 1 else $4 end, $5,
      case when is_refused then 'failure' end, case when is_refused then 'backlog_full' end, trace
    from decided`,
});

/**
 * Writes deliveries and their rows of the queue in one statement with the commit, and each different body once. Returns their ids in
 * the order of the drafts.
 */
export function insertDrafts(
  { defer, accountId, now }: Pick<AccountWriter, 'defer' | 'accountId' | 'now'>,
  drafts: readonly IdentifiedDraft[],
  { scheduleSeconds, quota }: EnqueueOptions,
): string[] {
  const contents: { id: string; body: string }[] = [];
  const sharedByBody = new Map<string, { id: string; day: number }>();
  let bytes = 0;
  const isTraced = currentTraceparent() !== undefined;
  const rows = drafts.map(({ body, ...draft }) => {
    const id = draft.id ?? createId();
    const trace = isTraced ? traceDelivery(id, draft.eventType) : undefined;
    const row = { isRefire: false, isTest: false, ...draft, id, trace };
    const day = dayOf(row.id);
    const shared = sharedByBody.get(body);
    bytes += deliveryBytes;
    if (shared?.day === day) return { ...row, bodyId: shared.id };
    sharedByBody.set(body, { id: row.id, day });
    contents.push({ id: row.id, body });
    bytes += bodyBytes + Buffer.byteLength(body);
    return row;
  });
  const [firstWaitSeconds] = scheduleSeconds;
  defer(insertDeliveries, [
    accountId,
    firstWaitSeconds,
    JSON.stringify(rows),
    scheduleSeconds.length,
    now,
    JSON.stringify(contents),
    quota.waitingMax,
    quota.bytesMax,
    bytes,
  ]);
  return rows.map((row) => row.id);
}

/** A span of the current trace. Returns its `traceparent`, so that the attempts of a worker belong to it. */
function traceDelivery(id: string, eventType: string): string | undefined {
  const span = startSpan(`delivery ${eventType}`, { kind: 'producer', attributes: { 'delivery.id': id } });
  span?.end();
  return span?.traceparent;
}
