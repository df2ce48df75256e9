import { expect, test } from 'vitest';
import { readStripeEvent } from './read-event.ts';

const now = new Date('2026-11-22T12:00:00Z');
const created = Date.parse('2026-11-22T11:00:00Z') / 1000;
const earlier = created - 3600;

function readingOf(type: string, object: object) {
  const event = { id: 'evt_1', object: 'event', type, created, data: { object } };
  return readStripeEvent(Buffer.from(JSON.stringify(event)), { now });
}

/** The fact of an event, or the kind of its reading. */
function factOf(type: string, object: object) {
  const reading = readingOf(type, object);
  return reading.kind === 'facts' ? reading.facts[0]! : reading.kind;
}

const clickId = '0193e3a0-0000-7000-8000-000000000001';
const registrationId = '0193e3a0-0000-7000-8000-000000000002';

const session = {
  id: 'cs_1',
  mode: 'payment',
  payment_status: 'paid',
  amount_total: 1050,
  currency: 'jpy',
  customer_details: { email: ' Ada@Example.com ' },
  customer_email: null,
  client_reference_id: null,
  metadata: {},
  payment_intent: 'pi_1',
  invoice: null,
};

test('a paid Checkout session is a purchase with the names of its payment', () => {
  expect(factOf('checkout.session.completed', session)).toEqual({
    provider: 'stripe',
    eventId: 'evt_1',
    objectId: 'cs_1',
    type: 'purchase',
    email: 'ada@example.com',
    amountMinor: 1050,
    currency: 'JPY',
    occurredAt: new Date(created * 1000),
    kind: 'checkout_session',
    paymentKeys: ['cs_1', 'pi_1'],
    joinedKeys: ['cs_1'],
    mayBeJoined: false,
    clickId: null,
    registrationId: null,
  });
});

test('an unpaid session waits for the event of its payment, and one without a price is a purchase only if it is no trial', () => {
  const statusOf = (fields: object, type = 'checkout.session.completed') => {
    const fact = factOf(type, { ...session, ...fields });
    return typeof fact === 'string' ? fact : fact.amountMinor;
  };
  expect(statusOf({ payment_status: 'unpaid' })).toBe('ignored');
  expect(statusOf({}, 'checkout.session.async_payment_succeeded')).toBe(1050);
  expect(statusOf({}, 'checkout.session.async_payment_failed')).toBe('ignored');
  const free = { payment_status: 'no_payment_required', amount_total: 0 };
  expect(statusOf(free)).toBe(0);
  expect(statusOf({ ...free, mode: 'subscription' })).toBe('ignored');
  expect(statusOf({ mode: 'setup', amount_total: null, currency: null })).toBe('ignored');
});

test('the click and the registration come from metadata, else from client_reference_id, which may be either', () => {
  const idsOf = (fields: object) => {
    const fact = factOf('checkout.session.completed', { ...session, ...fields });
    return typeof fact === 'string' ? fact : [fact.clickId, fact.registrationId];
  };
  expect(idsOf({ client_reference_id: clickId.toUpperCase() })).toEqual([clickId, clickId]);
  const metadata = { svc_click: clickId, registration_id: registrationId };
  expect(idsOf({ metadata, client_reference_id: 'order-7' })).toEqual([clickId, registrationId]);
  expect(idsOf({ metadata: { registration_id: registrationId }, client_reference_id: clickId })).toEqual([
    clickId,
    registrationId,
  ]);
  expect(idsOf({ metadata: { svc_click: 7 }, client_reference_id: 'order-7' })).toEqual([null, null]);
});

test('an invoice has the names and the metadata of its subscription, in the form of each API version', () => {
  const invoice = { id: 'in_1', amount_paid: 900, currency: 'eur', customer_email: 'ada@example.com' };
  const before2025 = {
    ...invoice,
    payment_intent: { id: 'pi_2', object: 'payment_intent' },
    charge: 'ch_2',
    subscription_details: { metadata: { svc_click: clickId } },
  };
  expect(factOf('invoice.paid', before2025)).toMatchObject({
    type: 'purchase',
    amountMinor: 900,
    paymentKeys: ['pi_2', 'ch_2', 'in_1'],
    clickId,
  });
  const present = {
    ...invoice,
    parent: {
      type: 'subscription_details',
      subscription_details: { metadata: { registration_id: registrationId } },
    },
  };
  expect(factOf('invoice.paid', present)).toMatchObject({ paymentKeys: ['in_1'], registrationId });
  const payment = { type: 'payment_intent', payment_intent: 'pi_2' };
  expect(
    factOf('invoice_payment.paid', {
      id: 'inpay_1',
      invoice: 'in_1',
      amount_paid: 900,
      currency: 'eur',
      payment,
    }),
  ).toMatchObject({ type: 'purchase', amountMinor: 900, email: null, paymentKeys: ['pi_2', 'in_1'] });
});

test('the invoice of a trial is no purchase, like the session that began it', () => {
  const trial = { id: 'in_1', amount_paid: 0, currency: 'eur', customer_email: 'ada@example.com' };
  expect(factOf('invoice.paid', trial)).toBe('ignored');
});

test('amounts that Stripe writes with other digits than ISO 4217 become minor units', () => {
  const amountOf = (currency: string, amount: number) => {
    const fact = factOf('checkout.session.completed', { ...session, currency, amount_total: amount });
    return typeof fact === 'string' ? fact : fact.amountMinor;
  };
  expect([amountOf('isk', 50_000), amountOf('ugx', 50_000), amountOf('mga', 500)]).toEqual([
    500, 500, 50_000,
  ]);
  expect([amountOf('huf', 50_000), amountOf('jpy', 500), amountOf('kwd', 5120)]).toEqual([50_000, 500, 5120]);
  expect(amountOf('mga', 999_999_999_999)).toBe('invalid');
  expect(factOf('refund.created', { ...refund, currency: 'isk', amount: 10_000 })).toMatchObject({
    amountMinor: -100,
  });
});

test('a PaymentIntent names its charge and its invoice, and a reserved amount is no purchase', () => {
  const intent = {
    id: 'pi_3',
    amount_received: 500,
    currency: 'usd',
    receipt_email: 'not an address',
    metadata: { svc_click: clickId },
    latest_charge: 'ch_3',
  };
  expect(factOf('payment_intent.succeeded', intent)).toMatchObject({
    amountMinor: 500,
    email: null,
    clickId,
    paymentKeys: ['pi_3', 'ch_3'],
  });
  const namesOf = (fields: object) => {
    const fact = factOf('payment_intent.succeeded', { ...intent, ...fields });
    return typeof fact === 'string' ? fact : fact.paymentKeys;
  };
  const details = (orderReference: unknown) => ({ payment_details: { order_reference: orderReference } });
  expect(namesOf(details('in_1TWIvx0q'))).toEqual(['pi_3', 'ch_3', 'in_1TWIvx0q']);
  for (const other of ['order 7', '', 7, null, undefined])
    expect(namesOf(details(other)), String(other)).toEqual(['pi_3', 'ch_3']);
  expect(namesOf({ invoice: 'in_2', ...details('in_3') })).toEqual(['pi_3', 'ch_3', 'in_2']);
  const charge = {
    id: 'ch_3',
    captured: true,
    amount_captured: 500,
    currency: 'usd',
    billing_details: { email: 'ADA@example.com' },
    metadata: {},
    payment_intent: 'pi_3',
  };
  expect(factOf('charge.succeeded', charge)).toMatchObject({
    objectId: 'ch_3',
    email: 'ada@example.com',
    paymentKeys: ['pi_3', 'ch_3'],
  });
  expect(factOf('charge.succeeded', { ...charge, captured: false, amount_captured: 0 })).toBe('ignored');
});

const refund = {
  id: 're_1',
  amount: 300,
  currency: 'eur',
  created: earlier,
  status: 'pending',
  payment_intent: 'pi_1',
  charge: 'ch_1',
};

test('a refund has the time of its creation in every event, and one that fails is taken back', () => {
  const stored = {
    objectId: 're_1',
    type: 'refund',
    amountMinor: -300,
    occurredAt: new Date(earlier * 1000),
    paymentKeys: ['pi_1', 'ch_1'],
  };
  expect(factOf('refund.created', refund)).toMatchObject(stored);
  expect(factOf('refund.updated', refund)).toBe('ignored');
  expect(factOf('refund.updated', { ...refund, status: 'succeeded' })).toMatchObject(stored);
  const reversal = { objectId: 're_1', type: 'refund_reversal', amountMinor: 300, reverses: 're_1' };
  expect(factOf('refund.failed', { ...refund, status: 'failed' })).toMatchObject(reversal);
  expect(factOf('charge.refund.updated', { ...refund, status: 'canceled' })).toMatchObject(reversal);
});

test('the release of an amount that was reserved and never captured is no refund', () => {
  const released = { ...refund, reason: 'expired_uncaptured_charge' };
  for (const status of ['succeeded', 'failed'])
    for (const type of ['refund.created', 'refund.updated', 'refund.failed'])
      expect(factOf(type, { ...released, status }), `${type} ${status}`).toBe('ignored');
  expect(factOf('refund.created', { ...refund, reason: 'fraudulent' })).toMatchObject({ type: 'refund' });
});

test('a refunded charge of an early API version reports all of its refunds', () => {
  const failed = { ...refund, id: 're_2', status: 'failed' };
  const charge = {
    id: 'ch_1',
    captured: true,
    amount_refunded: 500,
    refunds: { object: 'list', data: [failed, refund, { ...refund, id: 're_0', amount: 200 }] },
  };
  const reading = readingOf('charge.refunded', charge);
  expect(reading).toMatchObject({
    kind: 'facts',
    facts: [
      {
        eventId: 'evt_1',
        objectId: 're_1',
        type: 'refund',
        amountMinor: -300,
        occurredAt: new Date(earlier * 1000),
        paymentKeys: ['pi_1', 'ch_1'],
      },
      { eventId: 'evt_1:re_0', objectId: 're_0', amountMinor: -200 },
    ],
  });
  // Nothing was paid, so nothing is taken back.
  expect(factOf('charge.refunded', { ...charge, captured: false })).toBe('ignored');
});

test('a refunded charge from 2022-11-15 to 2024-10-27 reports the difference to the sum before, and a later one nothing', () => {
  const charge = {
    id: 'ch_1',
    captured: true,
    amount_refunded: 500,
    currency: 'eur',
    payment_intent: 'pi_1',
  };
  const readingFor = (version: string | null, before: object | undefined, fields: object = {}) =>
    readStripeEvent(
      Buffer.from(
        JSON.stringify({
          id: 'evt_1',
          type: 'charge.refunded',
          created,
          api_version: version,
          data: { object: { ...charge, ...fields }, previous_attributes: before },
        }),
      ),
      { now },
    );
  const before = { amount_refunded: 300, refunded: false };
  for (const fields of [{}, { refunds: null }, { refunds: { data: [] } }])
    expect(readingFor('2023-10-16', before, fields)).toMatchObject({
      kind: 'facts',
      facts: [
        {
          eventId: 'evt_1',
          objectId: 'evt_1',
          type: 'refund',
          amountMinor: -200,
          isDifference: true,
          occurredAt: new Date(created * 1000),
          paymentKeys: ['pi_1', 'ch_1'],
        },
      ],
    });
  for (const reading of [
    readingFor('2024-10-28.acacia', before),
    readingFor('2023-10-16', undefined),
    readingFor('2023-10-16', { amount_refunded: 'all' }),
    readingFor('2023-10-16', before, { captured: false }),
  ])
    expect(reading.kind).toBe('ignored');
});

test('a dispute is a chargeback unless it is an inquiry, and one that is won is taken back', () => {
  const dispute = { ...refund, id: 'dp_1', status: 'needs_response' };
  const stored = { objectId: 'dp_1', type: 'chargeback', amountMinor: -300 };
  const reversal = { objectId: 'dp_1', type: 'chargeback_reversal', amountMinor: 300, reverses: 'dp_1' };
  expect(factOf('charge.dispute.created', dispute)).toMatchObject(stored);
  expect(factOf('charge.dispute.funds_withdrawn', dispute)).toMatchObject(stored);
  expect(factOf('charge.dispute.created', { ...dispute, status: 'warning_needs_response' })).toBe('ignored');
  expect(factOf('charge.dispute.closed', { ...dispute, status: 'warning_closed' })).toBe('ignored');
  expect(factOf('charge.dispute.closed', { ...dispute, status: 'lost' })).toMatchObject(stored);
  expect(factOf('charge.dispute.closed', { ...dispute, status: 'won' })).toMatchObject(reversal);
  expect(factOf('charge.dispute.funds_reinstated', dispute)).toMatchObject(reversal);
});

test('an event that cannot be read is not understood, with every problem', () => {
  const invalid = { kind: 'invalid', reason: 'not_understood' };
  expect(readStripeEvent(Buffer.from('{'), { now })).toMatchObject(invalid);
  expect(readStripeEvent(Buffer.from('null'), { now })).toMatchObject(invalid);
  expect(readingOf('refund.created', { ...refund, amount: 1.5, currency: 'euro' })).toMatchObject({
    ...invalid,
    error: { issues: [{ path: 'amount' }, { path: 'currency' }] },
  });
  expect(readingOf('refund.created', { ...refund, amount: 10 ** 12 })).toMatchObject(invalid);
  expect(readingOf('refund.created', { ...refund, created: 0 })).toMatchObject(invalid);
  expect(factOf('constructor', {})).toBe('ignored');
});

test('an id that Postgres cannot store and an unknown currency are not understood', () => {
  for (const id of ['cs_\0', 'cs_\ud800', '', 'x'.repeat(256)]) {
    expect(factOf('checkout.session.completed', { ...session, id })).toBe('invalid');
    expect(factOf('checkout.session.completed', { ...session, payment_intent: id })).toBe('invalid');
  }
  expect(factOf('checkout.session.completed', { ...session, currency: 'zzz' })).toBe('invalid');
});

test('a session without a client reference is a purchase', () => {
  const { client_reference_id: _left, ...others } = session;
  expect(factOf('checkout.session.completed', others)).toMatchObject({ objectId: 'cs_1', clickId: null });
});
