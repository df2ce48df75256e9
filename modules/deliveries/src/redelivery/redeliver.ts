import type { AccountWriter } from '@service/database';
import { deliveryErrors } from '../errors.ts';
import { findByIds } from '../history/history.ts';
import { deliveryToSummary } from '../history/to-output.ts';
import { insertDrafts } from '../queue/enqueue.ts';

/** Makes the body of a redelivery of the one that was sent. */
export type Refire = (body: string, at: Date) => string;

export interface RedeliveryInput {
  deliveryId: string;
  /** Only if it went there. */
  endpointId: string;
  /** Refuses what arrived, was cancelled or still waits. */
  onlyFailed?: boolean;
}

export interface Redelivery {
  /** Of the new delivery. */
  id: string;
  /** The first delivery of what is sent again, however often it was before. */
  redeliveryOf: string;
}

interface RedeliveryOptions {
  refire: Refire;
  scheduleSeconds: readonly number[];
}

const selectContent = `
  select body, is_test, coalesce(redelivery_of, id) as first_id from deliveries.delivery
  where account_id = ? and id = ?`;

/** Queues a finished delivery anew, as a delivery of its own; the old one stays as it is. */
export async function redeliver(
  tx: AccountWriter,
  { deliveryId, endpointId, onlyFailed = false }: RedeliveryInput,
  { refire, scheduleSeconds }: RedeliveryOptions,
): Promise<Redelivery> {
  const [row] = await findByIds(tx, [deliveryId]);
  if (row?.endpoint_id !== endpointId) throw deliveryErrors.delivery_not_found();
  if (row.is_waiting) throw deliveryErrors.delivery_still_waiting();
  if (onlyFailed && deliveryToSummary(row).status !== 'failure') throw deliveryErrors.delivery_not_failed();
  const [content] = await tx.em.execute<{ body: string; is_test: boolean; first_id: string }[]>(
    selectContent,
    [tx.accountId, deliveryId],
  );
  const { body, is_test: isTest, first_id: redeliveryOf } = content!;
  const draft = {
    endpointId,
    eventType: row.event_type,
    body: refire(body, tx.now),
    isRefire: true,
    isTest,
    redeliveryOf,
  };
  const [id] = insertDrafts(tx, [draft], scheduleSeconds);
  return { id: id!, redeliveryOf };
}
