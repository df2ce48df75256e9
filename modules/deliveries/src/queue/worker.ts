import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/** A process that delivers. It lives as long as somebody holds the advisory lock of its number (`presence.ts`). */
export const Worker = defineEntity({
  name: 'Worker',
  tableName: 'worker',
  schema: 'deliveries',
  properties: {
    number: p.integer().primary().autoincrement(false),
    startedAt: p.datetime(3),
  },
});

export type Worker = InferEntity<typeof Worker>;
