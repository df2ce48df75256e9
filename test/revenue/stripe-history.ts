// Random histories of an account at Stripe: what happened, and the events that an endpoint of one API version is sent.
import fc from 'fast-check';

/** One for each form of the events: refunds in their charge, only their sums, refunds with events, and invoices that name no payment. */
export const stripeVersions = [
  '2022-08-01',
  '2023-10-16',
  '2024-10-28.acacia',
  '2025-03-31.basil',
  '2025-09-30.clover',
] as const;

export type StripeVersion = (typeof stripeVersions)[number];

export interface StripeEvent {
  id: string;
  type: string;
  created: number;
  api_version: StripeVersion;
  data: { object: Record<string, unknown>; previous_attributes?: object };
}

const amounts = fc.constantFrom(500, 900, 1000);

const payment = fc.record({
  // Several payments of one invoice exist since 2025.
  kind: fc.constantFrom('direct', 'checkout', 'subscription', 'subscription', 'parts'),
  currency: fc.constantFrom('eur', 'eur', 'usd'),
  amount: amounts,
  /** The amounts of the other objects, which may differ from what was charged. */
  sessionAmount: amounts,
  sessionCurrency: fc.constantFrom('eur', 'usd'),
  invoiceAmount: amounts,
  second: fc.constantFrom(0, 1, 3600, 86_399),
  buyer: fc.constantFrom('ada@example.com', 'stranger@example.com'),
  chargeHasEmail: fc.boolean(),
  /** Objects whose events are lost, or that the endpoint has not selected. Never all that link a payment to its invoice. */
  lost: fc.subarray(['session', 'intent', 'invoice'] as const),
  refund: fc.option(
    fc.record({ amount: fc.constantFrom(100, 500), fails: fc.boolean(), isBeginningLost: fc.boolean() }),
  ),
  dispute: fc.option(fc.record({ amount: amounts, isWon: fc.boolean(), isBeginningLost: fc.boolean() })),
});

export type StripePayment = typeof payment extends fc.Arbitrary<infer Value> ? Value : never;

export interface StripeHistory {
  version: StripeVersion;
  payments: StripePayment[];
}

export const arbitraryHistory: fc.Arbitrary<StripeHistory> = fc.record({
  version: fc.constantFrom(...stripeVersions),
  payments: fc.array(payment, { minLength: 1, maxLength: 3 }),
});

/** The parts of a payment with their amounts. */
export const chargesOf = ({ kind, amount }: StripePayment, version: StripeVersion): number[] =>
  kind === 'parts' && version >= '2025' ? [amount - 400, 400] : [amount];

/** The events of a history, in the order in which they happened. `startSeconds` is the time of the first one. */
export const eventsOfHistory = ({ version, payments }: StripeHistory, startSeconds: number): StripeEvent[] =>
  payments.flatMap((each, index) =>
    eventsOfPayment(each, { version, index, start: startSeconds + each.second }),
  );

interface Place {
  version: StripeVersion;
  index: number;
  start: number;
}

function eventsOfPayment(each: StripePayment, { version, index, start }: Place): StripeEvent[] {
  const events: StripeEvent[] = [];
  const send = (type: string, after: number, object: Record<string, unknown>, previous?: object): void => {
    const data = { object, ...(previous && { previous_attributes: previous }) };
    events.push({
      id: `evt_${index}_${events.length}`,
      type,
      created: start + after,
      api_version: version,
      data,
    });
  };
  const isLost = (name: 'session' | 'intent' | 'invoice'): boolean => each.lost.includes(name);
  const isOld = version < '2025-03-31';
  const hasInvoice = each.kind === 'subscription' || each.kind === 'parts';
  const invoice = hasInvoice ? `in_${index}` : null;
  // The renewals of a subscription have one buyer.
  const subscription = `sub_${each.buyer}`;
  const charges = chargesOf(each, version);
  const names = charges.map((_amount, part) => ({ pi: `pi_${index}_${part}`, ch: `ch_${index}_${part}` }));
  for (const [part, amount] of charges.entries()) {
    const { pi, ch } = names[part]!;
    const money = { currency: each.currency, metadata: {}, ...(isOld && { invoice }) };
    send('charge.succeeded', 0, {
      id: ch,
      captured: true,
      amount_captured: amount,
      payment_intent: pi,
      receipt_email: each.chargeHasEmail ? each.buyer : null,
      billing_details: { email: null },
      ...money,
    });
    if (!isLost('intent'))
      send('payment_intent.succeeded', 1, {
        id: pi,
        amount_received: amount,
        receipt_email: null,
        latest_charge: ch,
        ...money,
      });
    if (!isOld && invoice)
      send('invoice_payment.paid', 2, {
        id: `inpay_${index}_${part}`,
        invoice,
        amount_paid: amount,
        currency: each.currency,
        payment: { type: 'payment_intent', payment_intent: pi },
      });
  }
  if (invoice && !isLost('invoice'))
    send('invoice.paid', 3, {
      id: invoice,
      amount_paid: each.invoiceAmount,
      currency: each.sessionCurrency,
      customer_email: each.buyer,
      metadata: {},
      ...(isOld ? { subscription } : { parent: { subscription_details: { subscription, metadata: {} } } }),
      ...(isOld && { payment_intent: names[0]!.pi, charge: names[0]!.ch }),
    });
  if (each.kind !== 'direct' && !isLost('session'))
    send('checkout.session.completed', 4, {
      id: `cs_${index}`,
      mode: invoice ? 'subscription' : 'payment',
      payment_status: 'paid',
      amount_total: each.sessionAmount,
      currency: each.sessionCurrency,
      customer_details: { email: each.buyer },
      customer_email: null,
      client_reference_id: null,
      metadata: {},
      payment_intent: invoice ? null : names[0]!.pi,
      invoice,
      subscription: invoice && subscription,
    });
  sendRefund(each, { send, index, names: names[0]!, version, start });
  sendDispute(each, { send, index, names: names[0]!, version, start });
  return events;
}

interface Sending extends Place {
  send(type: string, after: number, object: Record<string, unknown>, previous?: object): void;
  names: { pi: string; ch: string };
}

function sendRefund(
  { refund, currency }: StripePayment,
  { send, index, names, version, start }: Sending,
): void {
  if (!refund) return;
  const object = {
    id: `re_${index}`,
    amount: refund.amount,
    currency,
    created: start + 60,
    payment_intent: names.pi,
    charge: names.ch,
  };
  const charge = {
    id: names.ch,
    captured: true,
    currency,
    payment_intent: names.pi,
    amount_refunded: refund.amount,
  };
  const succeeded = { ...object, status: 'succeeded', reason: null };
  if (!refund.isBeginningLost) {
    if (version < '2022-11-15') send('charge.refunded', 60, { ...charge, refunds: { data: [succeeded] } });
    else if (version < '2024-10-28') send('charge.refunded', 60, charge, { amount_refunded: 0 });
    else {
      send('refund.created', 60, succeeded);
      send('charge.refunded', 61, charge, { amount_refunded: 0 });
    }
  }
  if (refund.fails)
    send(version < '2024-10-28' ? 'charge.refund.updated' : 'refund.failed', 90, {
      ...object,
      status: 'failed',
    });
  // The refund itself, which is known as a difference before.
  else if (version >= '2022-11-15') send('charge.refund.updated', 90, succeeded);
}

function sendDispute({ dispute, currency }: StripePayment, { send, index, names, start }: Sending): void {
  if (!dispute) return;
  const object = {
    id: `dp_${index}`,
    amount: dispute.amount,
    currency,
    created: start + 120,
    payment_intent: names.pi,
    charge: names.ch,
  };
  if (!dispute.isBeginningLost) {
    send('charge.dispute.created', 120, { ...object, status: 'needs_response' });
    send('charge.dispute.funds_withdrawn', 121, { ...object, status: 'needs_response' });
  }
  if (!dispute.isWon) return;
  send('charge.dispute.closed', 180, { ...object, status: 'won' });
  send('charge.dispute.funds_reinstated', 181, { ...object, status: 'won' });
}
