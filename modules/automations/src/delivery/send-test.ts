import type { AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { testEnvelope } from '../event/event-catalogue.ts';
import type { EventType } from '../event/event-types.ts';
import type { QueuedDeliveryOutput } from './schemas.ts';
import type { Source } from './source.ts';

interface TestInput {
  source: Source;
  webinarId: string;
  eventType: EventType;
}

/** Queues a sample of an event as if it had happened in this webinar, marked `is_test`. */
export async function sendTest(
  tx: AccountWriter,
  deliveries: Deliveries,
  { source, webinarId, eventType }: TestInput,
): Promise<z.input<typeof QueuedDeliveryOutput>> {
  const { id, title } = await findWebinar(tx, webinarId);
  const envelope = testEnvelope(eventType, { webinar: { id, title }, builtAt: tx.now });
  const { endpointId } = source;
  const draft = { endpointId, eventType, body: JSON.stringify(envelope), isTest: true };
  const [deliveryId] = await deliveries.enqueue(tx, [draft]);
  return { id: deliveryId!, status: 'queued' };
}
