import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** Something about an endpoint that its owners should hear of. Written with what it tells, taken by a worker's task. */
export const EndpointNotice = defineEntity({
  name: 'EndpointNotice',
  tableName: 'endpoint_notice',
  schema: 'deliveries',
  indexes: [{ name: 'endpoint_notice_untold_index', properties: ['id'], where: 'told_at is null' }],
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid().primary(),
    endpointId: p.uuid(),
    kind: p.text().$type<'paused' | 'recovered'>(),
    /** What its last attempt failed with. */
    reason: p.text().nullable(),
    at: p.datetime(3),
    toldAt: p.datetime(3).nullable(),
  },
});

export type EndpointNotice = InferEntity<typeof EndpointNotice>;
