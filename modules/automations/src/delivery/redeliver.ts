import type { AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import type { z } from 'zod';
import { refireBody } from '../event/envelope.ts';
import type { RedeliveryOutput } from './schemas.ts';

/**
 * Has a finished delivery of an endpoint sent again: a new delivery with the payload built anew, marked `is_refire`.
 * Throws delivery_not_found, delivery_still_waiting.
 */
export async function redeliver(
  tx: AccountWriter,
  deliveries: Deliveries,
  { endpointId, deliveryId }: { endpointId: string; deliveryId: string },
): Promise<z.input<typeof RedeliveryOutput>> {
  const id = await deliveries.redeliver(tx, {
    deliveryId,
    endpointId,
    rebuild: (body) => refireBody(body, tx.now),
  });
  return { id, status: 'queued', redeliveryOf: deliveryId };
}
