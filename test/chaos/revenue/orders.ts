// Orders of a shop, and the webhooks that its payment providers send for them. The sizes differ, so that two orders are hardly
// ever taken for each other.
import { stripeEventOf } from '../../support/shop.ts';

export const fates = ['kept', 'refunded', 'partly refunded', 'dispute lost', 'dispute won'] as const;
export type Fate = (typeof fates)[number];

export interface Order {
  /** The end of all its ids at the provider. */
  id: string;
  door: 'generic' | 'stripe';
  fate: Fate;
  currency: string;
  /** The rows that the ledger must have, `refund -100`; sorted. */
  rows: string[];
  /** The state of its payment when all of it has arrived. */
  state: string;
  webhooks: Webhook[];
}

export interface Webhook {
  door: 'generic' | 'stripe';
  eventId: string;
  body: string;
}

interface Fact {
  type: string;
  amountMinor: number;
}

const currencies = ['EUR', 'USD', 'JPY'];

/** The order of a number: every door, fate and currency comes in turn. */
export function createOrder(run: string, index: number): Order {
  const door = index % 2 === 0 ? 'generic' : 'stripe';
  const possible = door === 'generic' ? fates.slice(0, 4) : fates;
  const fate = possible[Math.floor(index / 2) % possible.length]!;
  const amount = 1000 + 5 * index;
  const facts: Fact[] = [{ type: 'purchase', amountMinor: amount }, ...changesOf(fate, amount)];
  const id = `${run}_${index}`;
  const order = { id, door, fate, currency: currencies[index % currencies.length]! } as const;
  const email = `buyer-${id}@example.com`;
  return {
    ...order,
    rows: facts.map(({ type, amountMinor }) => `${type} ${amountMinor}`).toSorted(),
    state: stateByFate[fate],
    webhooks: door === 'generic' ? genericOf(order, facts, email) : stripeOf(order, facts, email),
  };
}

function changesOf(fate: Fate, amount: number): Fact[] {
  const chargeback = { type: 'chargeback', amountMinor: -amount };
  const changes: Record<Fate, Fact[]> = {
    kept: [],
    refunded: [{ type: 'refund', amountMinor: -amount }],
    'partly refunded': [{ type: 'refund', amountMinor: -amount / 5 }],
    'dispute lost': [chargeback],
    'dispute won': [chargeback, { type: 'chargeback_reversal', amountMinor: amount }],
  };
  return changes[fate];
}

const stateByFate: Record<Fate, string> = {
  kept: 'paid',
  refunded: 'refunded',
  'partly refunded': 'partially_refunded',
  'dispute lost': 'charged_back',
  'dispute won': 'paid',
};

type Draft = Pick<Order, 'id' | 'currency'>;

const genericOf = ({ id, currency }: Draft, facts: readonly Fact[], email: string): Webhook[] =>
  facts.map(({ type, amountMinor }, index) => {
    const eventId = `${type}_${id}`;
    const body = JSON.stringify({
      event_id: eventId,
      type,
      email,
      amount_minor: amountMinor,
      currency,
      original_transaction_id: index === 0 ? null : `purchase_${id}`,
      timestamp: new Date(Date.now() + index * 1000).toISOString(),
    });
    return { door: 'generic', eventId, body };
  });

/** Two events describe the purchase: a payment is one purchase, whichever comes first. */
function stripeOf({ id, currency }: Draft, facts: readonly Fact[], email: string): Webhook[] {
  const amount = facts[0]!.amountMinor;
  const payment = { payment_intent: `pi_${id}`, currency: currency.toLowerCase(), metadata: {} };
  const described: [type: string, object: Record<string, unknown>][] = [
    [
      'checkout.session.completed',
      {
        id: `cs_${id}`,
        object: 'checkout.session',
        mode: 'payment',
        status: 'complete',
        payment_status: 'paid',
        amount_total: amount,
        customer_details: { email },
        invoice: null,
        ...payment,
      },
    ],
    [
      'charge.succeeded',
      {
        id: `ch_${id}`,
        object: 'charge',
        status: 'succeeded',
        paid: true,
        captured: true,
        amount,
        amount_captured: amount,
        billing_details: { email },
        ...payment,
      },
    ],
    ...facts.slice(1).map((fact) => stripeChange(id, fact, payment)),
  ];
  return described.map(([type, object], index) => {
    const body = stripeEventOf(type, object, new Date(Date.now() + index * 1000));
    return { door: 'stripe', eventId: JSON.parse(body).id as string, body };
  });
}

function stripeChange(
  id: string,
  { type, amountMinor }: Fact,
  payment: Record<string, unknown>,
): [string, Record<string, unknown>] {
  const amount = Math.abs(amountMinor);
  const charged = { amount, charge: `ch_${id}`, ...payment };
  if (type === 'refund')
    return ['refund.created', { id: `re_${id}`, object: 'refund', status: 'succeeded', ...charged }];
  const status = type === 'chargeback' ? 'needs_response' : 'won';
  const name = type === 'chargeback' ? 'charge.dispute.created' : 'charge.dispute.closed';
  return [name, { id: `dp_${id}`, object: 'dispute', status, ...charged }];
}
