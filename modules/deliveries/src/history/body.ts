import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { idAt, idTime } from '@service/database';

/**
 * A body that is sent, written once. Deliveries that were made together with the same body share it. Its id is that of the first
 * of them, and they are of the same day (UTC), so that both are kept and dropped together. Partitioned by day like the deliveries.
 */
export const Body = defineEntity({
  name: 'Body',
  tableName: 'body',
  schema: 'deliveries',
  properties: {
    id: p.uuid().primary(),
    accountId: p.uuid().primary(),
    /** The exact bytes of every try. So it is text and never jsonb. */
    body: p.text(),
  },
});

export type Body = InferEntity<typeof Body>;

const dayMs = 86_400_000;

/** The UTC day of an id, as a number. */
export const dayOf = (id: string): number => Math.floor(idTime(id).getTime() / dayMs);

/** The lowest id of the body of a delivery with this id, or a later id: the start of its day. */
export const lowestBodyId = (deliveryId: string): string => idAt(new Date(dayOf(deliveryId) * dayMs));

/**
 * Joins the body to each row of `delivery`, as `kept`. `since` and `until` are parameters: `lowestBodyId` of the lowest delivery, and the
 * highest delivery. They keep the partitions of other days out of the plan.
 */
export const joinBody = (since: string, until: string): string => `
  left join lateral (
    select kept.body from deliveries.body kept
    where kept.id = coalesce(delivery.body_id, delivery.id) and kept.account_id = delivery.account_id
      and kept.id between ${since} and ${until}
    limit 1
  ) kept on true`;

/** The body after `joinBody`. Deliveries from before 24 November 2026 have it in their own row. */
export const joinedBody = 'coalesce(delivery.body, kept.body)';
