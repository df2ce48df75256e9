// The body of a delivery contains the data of an attendee, and perhaps of a purchase. Clients without the scopes for them see how the
// delivery went, but neither the body nor the answer of the receiver, which may repeat it. The same on every surface.
import type { DeliveryDetail, DeliveryDetailOutput, DeliveryOutput } from '@service/deliveries';
import { mayRead, type Principal } from '@service/trpc';
import { isAboutRevenue, isRevenueEvent } from '../event-type/carries-revenue.ts';

/** The deliveries as a principal may read them. Without their bodies, the time since an event may be that since a purchase. */
export const hideSnippets = <Delivery extends DeliveryOutput>(
  principal: Principal,
  deliveries: readonly Delivery[],
): Delivery[] =>
  deliveries.map((delivery) => {
    const { eventType } = delivery;
    const hasRevenue = isRevenueEvent(eventType) || eventType === 'time_elapsed_after_event';
    return mayReadBody(principal, delivery, () => hasRevenue)
      ? delivery
      : { ...delivery, responseSnippet: null };
  });

/** The delivery as a principal may read it: `body` and `responseSnippet` are null without the scopes for the body. */
export function hideBody(principal: Principal, delivery: DeliveryDetail): DeliveryDetailOutput {
  if (mayReadBody(principal, delivery, () => isAboutRevenue(delivery.body))) return delivery;
  const attemptLog = delivery.attemptLog.map((attempt) => ({
    ...attempt,
    responseSnippet: null,
    responseHeaders: {},
  }));
  return { ...delivery, body: null, responseSnippet: null, attemptLog };
}

/** A test is a sample, which is in `GET /event-types` too. */
const mayReadBody = (
  principal: Principal,
  { isTest }: Pick<DeliveryOutput, 'isTest'>,
  hasRevenue: () => boolean,
): boolean =>
  isTest ||
  (mayRead(principal, 'registrations:read') && (mayRead(principal, 'revenue:read') || !hasRevenue()));
