// One attendee from the registration to the refund, over every surface that an integrator uses.
import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver, type Received } from '../support/receiver.ts';
import { openShop } from '../support/shop.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const shopUrl = 'https://shop.example/checkout';

test('an attendee who clicks the offer, buys and gets a refund is in the ledger, the sums and the webhooks', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  await using _worker = await testWorker(world.service.db.url);
  const offerId = await world.interaction({ type: 'offer', url: shopUrl, buttonLabel: 'Buy' });
  const rule = await world.rule(receiver.url, { name: 'Bought', trigger: { type: 'purchase' } });
  const refundRule = await world.rule(`${receiver.url}/refunds`, {
    name: 'Refunded',
    trigger: { type: 'refund' },
  });
  const ada = await world.attend('ada@example.com', { utm: { source: 'mail' } });
  world.startSession();
  const visit = await ada.visit();
  await ada.beat({ intervals: [] });

  // The click that the browser makes: the link of the room, and its redirect to the shop.
  const { clickUrl } = visit.json.interactions.find(({ id }: { id: string }) => id === offerId);
  const redirect = await ada.follow(clickUrl);
  expect(redirect.status).toBe(302);
  const target = new URL(redirect.headers.get('location')!);
  expect(target.origin + target.pathname).toBe(shopUrl);
  const clickId = target.searchParams.get('svc_click')!;

  // The room's clock stands in the session. The shop's timestamps follow it.
  const boughtAt = world.clock.now();
  const shop = await openShop(world.service, world);
  const purchase = await shop.report({
    event_id: 'order_1',
    email: 'somebody-else@example.com',
    click_id: clickId,
    timestamp: boughtAt.toISOString(),
  });
  expect(purchase.status, purchase.text).toBe(202);
  const refund = await shop.report({
    event_id: 'refund_1',
    type: 'refund',
    email: 'somebody-else@example.com',
    amount_minor: -1900,
    original_transaction_id: 'order_1',
    timestamp: new Date(boughtAt.getTime() + 1000).toISOString(),
  });
  expect(refund.status, refund.text).toBe(202);

  const event = (await world.rest(`GET /revenue/events/${purchase.json.id}`)).json.data;
  const credit = {
    level: 'offer_click',
    matchedBy: 'click_id',
    reason: null,
    webinarId: world.webinar.id,
    sessionId: ada.sessionId,
    registrationId: ada.registrationId,
    interactionId: offerId,
    utmSource: 'mail',
  };
  expect(event).toMatchObject({
    type: 'purchase',
    source: 'generic',
    sourceEventId: 'order_1',
    amountMinor: 7900,
    currency: 'EUR',
    state: 'partially_refunded',
    attributed: true,
    credit,
  });
  expect(event.explanation.length).toBeGreaterThan(0);

  const list = await world.rest(`GET /revenue/events?webinarId=${world.webinar.id}`);
  expect(
    list.json.data
      .map(({ sourceEventId, credit: { level } }: { sourceEventId: string; credit: { level: string } }) => [
        sourceEventId,
        level,
      ])
      .toSorted(),
  ).toEqual([
    ['order_1', 'offer_click'],
    ['refund_1', 'offer_click'],
  ]);
  // The room's clock may be a day further than the machine's.
  const day = (ms: number): string => `${new Date(ms).toISOString().slice(0, 10)}T00:00:00Z`;
  const range = `from=${day(boughtAt.getTime())}&to=${day(boughtAt.getTime() + 2 * 86_400_000)}`;
  const summary = await world.rest(`GET /revenue/summary?webinarId=${world.webinar.id}&${range}`);
  const { totals } = summary.json.data;
  expect(totals).toMatchObject([
    { currency: 'EUR', grossMinor: 7900, netMinor: 6000, purchases: 1, refunds: 1, chargebacks: 0 },
  ]);

  const bodyOf = (secret: string, path: string): Promise<Record<string, unknown>> =>
    eventually(`the webhook at ${path}`, () => {
      const hook = receiver.received.find((one) => one.path === path);
      return hook && genuine(hook, secret);
    });
  expect(await bodyOf(rule.secret, '/hook')).toMatchObject({
    event_type: 'purchase',
    attendee: { registration_id: ada.registrationId, email: 'ada@example.com' },
    webinar: { id: world.webinar.id },
    event_data: {
      revenueEventId: purchase.json.id,
      type: 'purchase',
      amountMinor: 7900,
      currency: 'EUR',
      offerId,
      level: 'offer_click',
    },
  });
  expect(await bodyOf(refundRule.secret, '/hook/refunds')).toMatchObject({
    event_type: 'refund',
    event_data: { revenueEventId: refund.json.id, type: 'refund', amountMinor: -1900, currency: 'EUR' },
  });
});

/** The body, after its signature was computed here as the specification describes it. */
function genuine({ body, headers }: Received, secret: string): Record<string, unknown> {
  const expected = `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  expect(headers['x-service-signature']).toBe(expected);
  return JSON.parse(body.toString());
}
