import { expect, test } from 'vitest';
import { createWorld } from '../support/world.ts';
import { createSender } from './sender.ts';

test('an event has its explanation, the touches that lost, its payment, and what the attendee did before', async () => {
  await using world = await createWorld();
  const offerId = await world.interaction({
    type: 'offer',
    internalName: 'Discount',
    url: 'https://example.com/buy',
    buttonLabel: 'Buy',
  });
  const ada = await world.attend('ada@example.com');
  world.startSession();
  await ada.visit();
  await ada.beat();
  await ada.click(offerId);
  const sender = await createSender(world.service, world);
  const timestamp = new Date(Date.now() + 3_600_000).toISOString();
  const sale = {
    event_id: 'sale',
    type: 'purchase',
    email: 'Ada@example.com',
    amount_minor: 4900,
    currency: 'EUR',
    timestamp,
  };
  const { id } = (await sender.send(sale)).json;
  const back = { event_id: 'back', type: 'refund', amount_minor: -900, original_transaction_id: 'sale' };
  const { id: refundId } = (await sender.send({ ...sale, ...back })).json;

  const bought = (await world.rest(`GET /revenue/events/${id}`)).json.data;
  expect(bought).toMatchObject({
    id,
    type: 'purchase',
    source: 'generic',
    sourceEventId: 'sale',
    email: 'ada@example.com',
    amountMinor: 4900,
    currency: 'EUR',
    occurredAt: timestamp,
    paymentId: id,
    state: 'partially_refunded',
    pairing: 'own',
    overRefunded: false,
    attributed: true,
    credit: {
      level: 'offer_click',
      matchedBy: 'email',
      reason: null,
      webinarId: world.webinar.id,
      webinarTitle: 'Launch',
      registrationId: ada.registrationId,
      registrantName: 'ada',
      interactionId: offerId,
      interactionName: 'Discount',
      windowDays: 30,
    },
    payment: {
      id,
      state: 'partially_refunded',
      amountMinor: 4900,
      refundedMinor: 900,
      chargedBackMinor: 0,
      netMinor: 4000,
    },
  });
  expect(new Set(bought.payment.events.map((event: { id: string }) => event.id))).toEqual(
    new Set([id, refundId]),
  );
  expect(bought.timeline.map(({ step }: { step: string }) => step)).toEqual([
    'registered',
    'joined',
    'clicked',
    'bought',
  ]);
  expect(bought.considered.touches.map(({ level, lost }: Record<string, string>) => [level, lost])).toEqual([
    ['attended', 'weaker_level'],
    ['registered', 'weaker_level'],
  ]);
  expect(bought.explanation.join(' ')).toContain('clicked the offer “Discount” in “Launch”');

  const refunded = (await world.rest(`GET /revenue/events/${refundId}`)).json.data;
  expect(refunded).toMatchObject({
    type: 'refund',
    amountMinor: -900,
    paymentId: id,
    pairing: 'transaction',
    credit: bought.credit,
    considered: bought.considered,
    payment: bought.payment,
    timeline: bought.timeline,
  });
  expect(refunded.explanation[0]).toBe('This event has the credit of its purchase.');

  const more = { ...sale, ...back, event_id: 'more', amount_minor: -4001 };
  const { id: lastId } = (await sender.send(more)).json;
  expect((await world.rest(`GET /revenue/events/${lastId}`)).json.data).toMatchObject({
    overRefunded: true,
    state: 'refunded',
    amountMinor: -4001,
    payment: { refundedMinor: 4901, netMinor: -1, overRefunded: true },
  });
});

test('a refund without its purchase says so, and has neither a payment nor a timeline', async () => {
  await using world = await createWorld();
  const sender = await createSender(world.service, world);
  const timestamp = new Date().toISOString();
  const back = {
    event_id: 'back',
    type: 'refund',
    email: 'a@example.com',
    amount_minor: -1,
    currency: 'EUR',
    timestamp,
  };
  const { id } = (await sender.send({ ...back, original_transaction_id: 'unknown' })).json;
  expect((await world.rest(`GET /revenue/events/${id}`)).json.data).toMatchObject({
    paymentId: null,
    state: null,
    pairing: 'unpaired',
    attributed: false,
    credit: { level: 'unattributed', reason: 'unpaired', webinarId: null, windowDays: null },
    explanation: ['Not credited yet: the purchase of this event has not arrived.'],
    payment: null,
    timeline: [],
  });
});
