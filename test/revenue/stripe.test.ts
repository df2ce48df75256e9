import { expect } from 'vitest';
import { callRest, createTestKey } from '../support/api.ts';
import { checkout, stripeEvent, stripeHeader, stripeHeaders, test, type Sender } from './sender.ts';

const post = (shop: Sender, body: string, header: string) =>
  shop.post('stripe', body, { 'Stripe-Signature': header });

test('headers of Stripe are accepted, and those of another secret, of another time and of other bytes are not', async ({
  shop,
}) => {
  const event = JSON.stringify(checkout(), null, 2);
  for (const { name, body, header, isValid } of stripeHeaders(shop.stripeSecret, event))
    expect((await post(shop, body, header)).status, name).toBe(isValid ? 200 : 401);
});

test('a timestamp 301 s ahead is refused', async ({ shop }) => {
  const body = JSON.stringify(checkout());
  expect((await post(shop, body, stripeHeader(shop.stripeSecret, body, -305))).status).toBe(401);
  expect((await post(shop, body, stripeHeader(shop.stripeSecret, body, -290))).status).toBe(200);
});

test('a signature in upper-case hex is accepted', async ({ shop }) => {
  const body = JSON.stringify(checkout());
  const header = stripeHeader(shop.stripeSecret, body).replace(/[0-9a-f]{64}/, (hex) => hex.toUpperCase());
  expect((await post(shop, body, header)).status).toBe(200);
});

test('every signed event is answered 200: stored, repeated, ignored by its type, or not understood', async ({
  shop,
}) => {
  const event = checkout();
  const first = await shop.stripe(event);
  expect(first).toMatchObject({ status: 200, json: { received: true, status: 'stored' } });
  expect((await shop.stripe(event)).json).toEqual({ received: true, status: 'duplicate', id: first.json.id });
  expect((await shop.stripe(stripeEvent('customer.created', { id: 'cus_1' }))).json).toEqual({
    received: true,
    status: 'ignored',
  });
  const unpaid = checkout({ payment_status: 'unpaid' });
  expect((await shop.stripe(unpaid)).json.status).toBe('ignored');
  const broken = ['{', '[]', JSON.stringify(stripeEvent('refund.created', { id: 're_1', amount: 1.5 }))];
  for (const body of broken) {
    const answer = await post(shop, body, stripeHeader(shop.stripeSecret, body));
    expect([answer.status, answer.json], body).toEqual([200, { received: true, status: 'not_understood' }]);
  }
  const refused: { reason: string }[] = await shop.owner.query('revenueSources.refusedEvents.list', {});
  expect(refused.map(({ reason }) => reason)).toEqual(Array(3).fill('not_understood'));
});

test('a purchase that began without an e-mail address is found by the address of a later description, and so is its refund', async ({
  shop,
}) => {
  const sender = await shop.another();
  const { key } = await createTestKey(sender.service, sender.account.accountId);
  const found = async () => {
    const { json } = await callRest(sender.service, 'GET /revenue/events?email=ada@example.com', { key });
    return json.data.map(({ type, email }: { type: string; email: string }) => [type, email]);
  };
  const amount = { amount_received: 4900, currency: 'eur', receipt_email: null, metadata: {} };
  await sender.stripe(
    stripeEvent('payment_intent.succeeded', { id: 'pi_8', latest_charge: 'ch_8', ...amount }),
  );
  const session = checkout({ payment_intent: 'pi_8' });
  const taken = {
    amount: 900,
    currency: 'eur',
    created: session.created,
    payment_intent: 'pi_8',
    charge: null,
  };
  await sender.stripe(stripeEvent('refund.created', { id: 're_8', status: 'pending', ...taken }));
  expect(await found()).toEqual([]);
  await sender.stripe(session);
  expect((await found()).toSorted()).toEqual([
    ['purchase', 'ada@example.com'],
    ['refund', 'ada@example.com'],
  ]);
});

test('the events of one payment are one purchase, whichever comes first, and its refund and dispute are taken back', async ({
  shop,
}) => {
  const sender = await shop.another();
  const clickId = '0193e3a0-0000-7000-8000-000000000002';
  const session = checkout({ payment_intent: 'pi_9', client_reference_id: clickId });
  const intent = stripeEvent('payment_intent.succeeded', {
    id: 'pi_9',
    amount_received: 4900,
    currency: 'eur',
    receipt_email: null,
    metadata: {},
    latest_charge: 'ch_9',
  });
  expect((await sender.stripe(intent)).json.status).toBe('stored');
  expect((await sender.stripe(session)).json.status).toBe('duplicate');
  const taken = {
    amount: 1900,
    currency: 'eur',
    created: session.created,
    charge: 'ch_9',
    payment_intent: null,
  };
  const refund = { id: 're_9', status: 'pending', ...taken };
  const dispute = { id: 'dp_9', status: 'needs_response', ...taken };
  for (const [type, object, status] of [
    ['refund.created', refund, 'stored'],
    ['refund.updated', { ...refund, status: 'succeeded' }, 'duplicate'],
    ['refund.failed', { ...refund, status: 'failed' }, 'stored'],
    ['charge.dispute.created', { ...dispute, id: 'dp_8', status: 'warning_needs_response' }, 'ignored'],
    ['charge.dispute.created', dispute, 'stored'],
    ['charge.dispute.funds_withdrawn', dispute, 'duplicate'],
    ['charge.dispute.closed', { ...dispute, status: 'won' }, 'stored'],
  ] as const)
    expect((await sender.stripe(stripeEvent(type, object))).json.status, type).toBe(status);
  const rows = await sender.ledger();
  expect(rows.map(({ type, amount_minor: amount }) => [type, amount])).toEqual([
    ['purchase', '4900'],
    ['refund', '-1900'],
    ['refund_reversal', '1900'],
    ['chargeback', '-1900'],
    ['chargeback_reversal', '1900'],
  ]);
});
