import type { AccountReader } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { AppError } from '@service/errors';
import { id } from '@service/trpc';
import { z } from 'zod';
import { Rule, Subscription } from './entities.ts';

export const FindByIdInput = z.strictObject({ id: id('record') });

/** A rule or a subscription, with the delivery if the id was that of one. */
export const FoundSource = z.object({
  kind: z.enum(['rule', 'webhook']),
  id: z.uuid(),
  webinarId: z.uuid(),
  deliveryId: z.uuid().nullable(),
});

type Found = z.input<typeof FoundSource>;

/** Finds the rule or subscription of an id that a person pasted: its own, or that of one of its deliveries. Null: there is none. */
export async function findById(
  reader: AccountReader,
  deliveries: Pick<Deliveries, 'endpointOf'>,
  id: string,
): Promise<Found | null> {
  const { em, accountId } = reader;
  const rule = await em.findOne(Rule, { accountId, id });
  if (rule) return sourceOf(rule, null);
  const subscription = await em.findOne(Subscription, { accountId, id });
  if (subscription) return { kind: 'webhook', id, webinarId: subscription.webinarId, deliveryId: null };
  const endpointId = await deliveries.endpointOf(reader, id).catch(undefinedIfUnknown);
  const sender = endpointId === undefined ? null : await em.findOne(Rule, { accountId, endpointId });
  return sender && sourceOf(sender, id);
}

const sourceOf = ({ id, subscriptionId, webinarId }: Rule, deliveryId: string | null): Found =>
  subscriptionId
    ? { kind: 'webhook', id: subscriptionId, webinarId, deliveryId }
    : { kind: 'rule', id, webinarId, deliveryId };

function undefinedIfUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'delivery_not_found') return undefined;
  throw error;
}
