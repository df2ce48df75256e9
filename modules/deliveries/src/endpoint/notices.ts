import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { column, nullable, roundDaysMax, statement, type Transaction } from '@service/database';
import { allDeliveryFailures } from '@service/catalogue';

/** A change of an endpoint that its owners are notified of. Written together with the change. */
export const EndpointNotice = defineEntity({
  name: 'EndpointNotice',
  tableName: 'endpoint_notice',
  schema: 'deliveries',
  indexes: [
    { name: 'endpoint_notice_untold_index', properties: ['id'], where: 'told_at is null' },
    { name: 'endpoint_notice_account_index', properties: ['accountId'] },
  ],
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid().primary(),
    endpointId: p.uuid(),
    kind: p.enum(['paused', 'recovered']),
    /** The failure of the last attempt. */
    reason: p.enum([...allDeliveryFailures]).nullable(),
    at: p.datetime(3),
    /** Null until a worker has taken the notice. */
    toldAt: p.datetime(3).nullable(),
  },
});

export type EndpointNotice = InferEntity<typeof EndpointNotice>;

/** A notice and the URL of its endpoint. */
export interface Notice extends Pick<EndpointNotice, 'id' | 'accountId' | 'endpointId' | 'kind' | 'at'> {
  reason: string | null;
  url: string;
}

/** Takes notices that were not taken yet, oldest first, and marks them as taken in the caller's transaction. */
export const takeNotices = (
  { query }: Pick<Transaction, 'query'>,
  { limit, now }: { limit: number; now: Date },
): Promise<Notice[]> => query(takeOldest, [limit, now]);

const takeOldest = statement({
  text: `
    with taken as (
      update deliveries.endpoint_notice set told_at = $2
      where id = any(array(
        select id from deliveries.endpoint_notice where told_at is null order by id limit $1 for update skip locked
      ))
      returning id, account_id, endpoint_id, kind, reason, at
    )
    select taken.id, taken.account_id as "accountId", taken.endpoint_id as "endpointId", kind, reason, at, endpoint.url
    from taken join deliveries.endpoint
      on endpoint.id = taken.endpoint_id and endpoint.account_id = taken.account_id
    order by taken.id`,
  allAccounts: 'A worker sends the notices of every account.',
  row: {
    id: column.id,
    accountId: column.id,
    endpointId: column.id,
    kind: column.textOf<EndpointNotice['kind']>(),
    reason: nullable(column.text),
    at: column.time,
    url: column.text,
  },
});

/** $1 the notices as JSON. */
export const insertNotices = statement({
  text: `
    insert into deliveries.endpoint_notice (id, account_id, endpoint_id, kind, reason, at)
    select id, "accountId", "endpointId", kind, reason, now()
    from json_to_recordset($1::json) as notice (id uuid, "accountId" uuid, "endpointId" uuid, kind text, reason text)`,
});

/** Deletes notices that were taken 90 days ago or earlier, those of the oldest two days at most. */
export const deleteOldNotices = statement({
  text: `
    delete from deliveries.endpoint_notice
    where told_at < least(now() - interval '90 days',
      (select min(told_at) from deliveries.endpoint_notice) + interval '${roundDaysMax} days')`,
  allAccounts: 'Old notices of every account are deleted.',
});
