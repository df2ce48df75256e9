import type { RevenueProvider } from '../../provider.ts';
import { stripeEventTypes } from './stripe-event-types.ts';
import { readStripeEvent } from './read-event.ts';
import { signStripe, stripeHeader, verifyStripe } from './signature.ts';

/** Stripe switches off an endpoint that fails for days. So every signed event is answered 200. */
export const stripe: RevenueProvider = {
  name: 'stripe',
  secret: {
    madeBy: 'provider',
    pattern: /^whsec_[A-Za-z0-9+/=_-]{8,200}$/,
    hint: 'The signing secret of the endpoint at Stripe. It begins with whsec_.',
  },
  eventTypes: stripeEventTypes,
  verify: verifyStripe,
  read: readStripeEvent,
  refusesInvalid: false,
  answer: ({ kind, ...outcome }) => ({ status: 200, body: { received: true, status: kind, ...outcome } }),
  createTestEvent({ secret, eventId, now }) {
    const created = Math.floor(now.getTime() / 1000);
    const session = {
      id: eventId,
      object: 'checkout.session',
      mode: 'payment',
      payment_status: 'paid',
      amount_total: 0,
      currency: 'eur',
      customer_details: { email: 'test@example.com' },
      client_reference_id: null,
      metadata: {},
      payment_intent: null,
      invoice: null,
    };
    const event = {
      id: eventId,
      object: 'event',
      type: 'checkout.session.completed',
      created,
      livemode: false,
      data: { object: session },
    };
    const body = Buffer.from(JSON.stringify(event));
    return { headers: { [stripeHeader]: signStripe(secret, { body, now }) }, body };
  },
};
