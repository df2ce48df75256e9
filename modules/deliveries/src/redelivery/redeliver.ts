import type { AccountWriter } from '@service/database';
import { insertDrafts } from './enqueue.ts';
import { deliveryErrors } from './errors.ts';
import { findByIds } from './history.ts';

export interface RedeliveryInput {
  deliveryId: string;
  /** Only if it went there. */
  endpointId: string;
  /** Makes the new body of the one that was sent. */
  rebuild: (body: string) => string;
}

const selectBody = `select body from deliveries.delivery where account_id = ? and id = ?`;

/** Queues a finished delivery anew, as a delivery of its own; the old one stays as it is. */
export async function redeliver(
  tx: AccountWriter,
  { deliveryId, endpointId, rebuild }: RedeliveryInput,
  scheduleSeconds: readonly number[],
): Promise<string> {
  const [row] = await findByIds(tx, [deliveryId]);
  if (row?.endpoint_id !== endpointId) throw deliveryErrors.delivery_not_found();
  if (row.due_at !== null) throw deliveryErrors.delivery_still_waiting();
  const [content] = await tx.em.execute<{ body: string }[]>(selectBody, [tx.accountId, deliveryId]);
  const draft = {
    endpointId,
    eventType: row.event_type,
    body: rebuild(content!.body),
    isRefire: true,
    redeliveryOf: deliveryId,
  };
  const [id] = insertDrafts(tx, [draft], scheduleSeconds);
  return id!;
}
