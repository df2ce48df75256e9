import type { AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { testEnvelope } from '../event-type/event-catalogue.ts';
import type { EventType } from '../event-type/event-types.ts';
import type { QueuedDeliveryOutput } from './schemas.ts';

interface TestInput {
  endpointId: string;
  webinarId: string;
  eventType: EventType;
}

/** Queues the sample of an event type with this webinar and `is_test`. */
export async function sendTest(
  tx: AccountWriter,
  deliveries: Deliveries,
  { endpointId, webinarId, eventType }: TestInput,
): Promise<z.input<typeof QueuedDeliveryOutput>> {
  const { id, title } = await findWebinar(tx, webinarId);
  const envelope = testEnvelope(eventType, { webinar: { id, title }, builtAt: tx.now });
  const draft = { endpointId, eventType, body: JSON.stringify(envelope), isTest: true };
  const [deliveryId] = await deliveries.enqueue(tx, [draft]);
  return { id: deliveryId!, status: 'queued' };
}

/** Probes an endpoint if it is paused. Returns its health. */
export async function probeEndpoint(tx: AccountWriter, deliveries: Deliveries, endpointId: string) {
  await deliveries.probe(tx, endpointId);
  const endpoints = await deliveries.endpoints(tx, [endpointId]);
  return endpoints.get(endpointId)!.health;
}
