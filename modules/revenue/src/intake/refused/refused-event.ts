import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Issue } from '@service/errors';
import type { RefusalReason } from '../provider.ts';

/** A signed event that could not be stored, for owners. The body is sealed with the row's id as context. */
export const RefusedEvent = defineEntity({
  name: 'RevenueRefusedEvent',
  tableName: 'refused_event',
  schema: 'revenue',
  indexes: [{ name: 'refused_event_received_index', properties: ['receivedAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    /** Sorts by the time at which the event was received. */
    id: p.uuid().primary(),
    provider: p.text(),
    reason: p.text().$type<RefusalReason>(),
    issues: p.json<Issue[]>(),
    sealedBody: p.blob(),
    /** Bytes of the body. */
    size: p.integer(),
    receivedAt: p.datetime(3),
  },
});

export type RefusedEvent = InferEntity<typeof RefusedEvent>;
