import { expect, test } from 'vitest';
import { createRandom } from '../random.ts';
import { createOrder } from './order.ts';
import { fates, planPurchase, type PurchasePlan } from './plan-purchase.ts';
import { genericSignature, stripeSignature, webhooksOf } from './provider-webhooks.ts';

test("GitHub's known answer for an HMAC-SHA256 of a body", () => {
  // docs.github.com, "Validating webhook deliveries", testing the webhook payload validation.
  expect(genericSignature("It's a Secret to Everybody", 'Hello, World!')).toBe(
    'sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17',
  );
});

test('a Stripe signature contains its time in seconds, and covers it', () => {
  const [one, other] = [0, 1].map((second) => stripeSignature('whsec_1', '{}', new Date(second * 1000)));
  expect(one).toMatch(/^t=0,v1=[0-9a-f]{64}$/);
  expect(other!.slice(4)).not.toBe(one!.slice(4));
});

const plan: PurchasePlan = {
  buys: { afterClick: true, afterSession: false },
  door: 'stripe',
  names: 'click',
  hasOtherEmail: false,
  fate: 'dispute won',
  price: { currency: 'KWD', amountMinor: 1000 },
  isLate: false,
};
const buyer = { attendee: undefined, clickId: 'c1', email: 'ada@example.com' };

test('a Stripe payment has three events for the purchase, with one payment intent and the same click', () => {
  const events = webhooksOf(createOrder('1', plan, buyer)).map(({ body }) => JSON.parse(body));
  expect(events.map(({ type }) => type)).toEqual([
    'payment_intent.succeeded',
    'charge.succeeded',
    'checkout.session.completed',
    'charge.dispute.created',
    'charge.dispute.closed',
  ]);
  const objects = events.map(({ data }) => data.object);
  expect(objects.map(({ id, payment_intent }) => payment_intent ?? id)).toEqual(Array(5).fill('pi_1'));
  expect(objects.slice(0, 3).map(({ metadata }) => metadata.svc_click)).toEqual(['c1', 'c1', 'c1']);
});

test('a buyer without a click is named by the e-mail address', () => {
  const { names, email } = createOrder(
    '1',
    { ...plan, hasOtherEmail: true },
    { ...buyer, clickId: undefined },
  );
  expect([names, email]).toEqual(['email', 'ada@example.com']);
});

test('plans have every fate, and the generic door none that takes something back', () => {
  const random = createRandom(7);
  const plans = Array.from({ length: 400 }, () => planPurchase(random));
  expect(new Set(plans.map(({ fate }) => fate))).toEqual(new Set(fates));
  const generic = plans.filter(({ door }) => door === 'generic').map(({ fate }) => fate);
  expect(generic).not.toContain('refund failed');
  expect(generic).not.toContain('dispute won');
});
