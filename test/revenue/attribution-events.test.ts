import { randomUUID } from 'node:crypto';
import { fireDueTimers } from '@service/automations';
import type { RevenueFact } from '@service/revenue';
import { expect, test } from 'vitest';
import type { Attendee } from '../support/attendee.ts';
import { createWorld } from '../support/world.ts';
import { createAttributionWorld, factOf, secondsAfter, type AttributionWorld } from './attribution-world.ts';
import { createSender } from './sender.ts';

const url = 'http://127.0.0.1:9/';

/** The data of the events that a rule fired for, oldest first. */
async function firedFor({ service, accountId }: AttributionWorld, ruleId: string) {
  const { rows } = await service.db.database.pool.query(
    `select b.body from automations.execution e join deliveries.delivery d on d.id = e.delivery_id
     join deliveries.body b on b.id = coalesce(d.body_id, d.id)
     where e.account_id = $1 and e.rule_id = $2 order by e.id`,
    [accountId, ruleId],
  );
  return rows.map(({ body }) => JSON.parse(body).event_data);
}

const ruleOn = async (world: AttributionWorld, type: string, fields: object = {}) =>
  (await world.rule(url, { trigger: { type, params: {} }, ...fields })).id;

test('purchase and refund fire once for each revenue event, and a chargeback fires refund', async () => {
  await using world = await createAttributionWorld();
  const [bought, back] = [await ruleOn(world, 'purchase'), await ruleOn(world, 'refund')];
  await world.register('ada@example.com');
  const [first, second] = [factOf('purchase', { amountMinor: 5000 }), factOf('purchase', { amountMinor: 0 })];
  const refund = factOf('refund', { amountMinor: -1200, paymentKeys: first.paymentKeys });
  const chargeback = factOf('chargeback', { amountMinor: -3800, paymentKeys: first.paymentKeys });
  const facts = [first, second, refund, chargeback];
  const [one, two, three, four] = await world.recordAll(facts);
  await world.recordAll(facts);
  await world.recordAll([
    {
      ...chargeback,
      eventId: randomUUID(),
      type: 'chargeback_reversal',
      amountMinor: 3800,
      reverses: chargeback.objectId,
    },
  ]);
  const eur = { currency: 'EUR', level: 'registered' };
  const byAmount = (events: { amountMinor: number }[]) =>
    events.toSorted((a, b) => b.amountMinor - a.amountMinor);
  expect(byAmount(await firedFor(world, bought))).toEqual([
    { revenueEventId: one, type: 'purchase', amountMinor: 5000, ...eur },
    { revenueEventId: two, type: 'purchase', amountMinor: 0, ...eur },
  ]);
  expect(byAmount(await firedFor(world, back))).toEqual([
    { revenueEventId: three, type: 'refund', amountMinor: -1200, ...eur },
    { revenueEventId: four, type: 'chargeback', amountMinor: -3800, ...eur },
  ]);
});

test('a refund that arrives before its purchase fires when the purchase is credited', async () => {
  await using world = await createAttributionWorld();
  const back = await ruleOn(world, 'refund');
  await world.register('ada@example.com');
  const purchase = factOf('purchase');
  const refund = factOf('refund', { email: null, paymentKeys: purchase.paymentKeys });
  const [id] = await world.recordAll([refund]);
  expect(await firedFor(world, back)).toEqual([]);
  await world.recordAll([purchase]);
  expect(await firedFor(world, back)).toMatchObject([{ revenueEventId: id, type: 'refund' }]);
});

test('a refund that arrives before the purchase that it names fires once, for the offer of that purchase', async () => {
  await using world = await createAttributionWorld();
  const back = await ruleOn(world, 'refund');
  await world.register('ada@example.com');
  const { clickId, at } = await world.click('ada@example.com');
  const [early, late] = [1, 2].map((seconds) =>
    factOf('purchase', { email: 'ada@example.com', occurredAt: secondsAfter(at, seconds) }),
  ) as [RevenueFact, RevenueFact];
  const refund = factOf('refund', {
    email: 'ada@example.com',
    occurredAt: secondsAfter(at, 3),
    paymentKeys: late.paymentKeys,
  });
  const [, id] = await world.recordAll([early, refund]);
  expect(await firedFor(world, back)).toEqual([]);
  expect((await world.event(id!)).pairing).toBe('unpaired');
  await world.recordAll([{ ...late, clickId }]);
  await world.recordAll([refund]);
  expect(await firedFor(world, back)).toMatchObject([{ revenueEventId: id, offerId: world.offer }]);
});

test('two purchases that turn out to be one payment fire once, whichever of them was credited first', async () => {
  await using world = await createAttributionWorld();
  const bought = await ruleOn(world, 'purchase');
  const occurredAt = secondsAfter(new Date(), 30);
  const described = (paymentKeys: string[], email: string | null) =>
    factOf('purchase', { provider: 'stripe', paymentKeys, email, occurredAt });
  await world.register('ada@example.com');
  const bothCredited = [
    described(['pi_0'], 'ada@example.com'),
    described(['in_0'], 'ada@example.com'),
    described(['pi_0', 'in_0'], null),
  ];
  const laterOneCredited = [
    described(['pi_1'], null),
    described(['in_1'], 'ada@example.com'),
    described(['pi_1', 'in_1'], null),
  ];
  const noneCredited = [
    described(['pi_2'], null),
    described(['in_2'], null),
    described(['pi_2', 'in_2'], 'ada@example.com'),
  ];
  const creditedByRetry = [
    described(['pi_3'], null),
    described(['in_3'], 'late@example.com'),
    described(['pi_3', 'in_3'], null),
  ];
  const record = async (facts: readonly RevenueFact[]) => {
    for (const fact of facts) await world.recordAll([fact]);
    return (await firedFor(world, bought)).length;
  };
  // Both had fired before the last description arrived.
  expect(await record(bothCredited)).toBe(2);
  expect(await record(laterOneCredited)).toBe(3);
  expect(await record(noneCredited)).toBe(4);
  expect(await record(creditedByRetry)).toBe(4);
  await world.register('late@example.com');
  await world.work(secondsAfter(new Date(), 60));
  expect(await firedFor(world, bought)).toHaveLength(5);
});

test('a rule on one offer fires for purchases through it, with the offer in its data', async () => {
  await using world = await createAttributionWorld();
  const other = await world.interaction({ type: 'offer', url: 'https://shop.example/b', buttonLabel: 'Buy' });
  const params = (interactionId: string) => ({ trigger: { type: 'purchase', params: { interactionId } } });
  const [mine, theirs] = [
    (await world.rule(url, params(world.offer))).id,
    (await world.rule(url, params(other))).id,
  ];
  const { clickId, at } = await world.click('ada@example.com');
  await world.record('purchase', { clickId, occurredAt: at });
  expect(await firedFor(world, mine)).toMatchObject([{ offerId: world.offer, level: 'offer_click' }]);
  expect(await firedFor(world, theirs)).toEqual([]);
});

test('the condition "bought something" is true in the rule of the purchase, and false before it', async () => {
  await using world = await createAttributionWorld();
  const conditions = (value: boolean) => ({ conditions: [{ field: 'purchased', operator: 'eq', value }] });
  const buyers = await ruleOn(world, 'purchase', conditions(true));
  const others = await ruleOn(world, 'purchase', conditions(false));
  const early = await ruleOn(world, 'registered', conditions(true));
  await world.register('ada@example.com');
  await world.record('purchase');
  const fired = await Promise.all([buyers, others, early].map((id) => firedFor(world, id)));
  expect(fired.map(({ length }) => length)).toEqual([1, 0, 0]);
});

test('nothing fires for an archived webinar, and the credit stays', async () => {
  await using world = await createAttributionWorld();
  const bought = await ruleOn(world, 'purchase');
  const registrationId = await world.register('ada@example.com');
  await world.call('POST /archive');
  const id = await world.record('purchase');
  expect((await world.event(id)).credit).toMatchObject({ registrationId });
  expect(await firedFor(world, bought)).toEqual([]);
});

test('a subscription cannot have revenue events', async () => {
  await using world = await createAttributionWorld();
  for (const type of ['purchase', 'refund']) {
    const { status } = await world.call('POST /webhooks', { url, eventTypes: [type] });
    expect(status).toBe(422);
  }
});

test('a rule for people who do not buy within an hour leaves out a buyer, also one whose purchase is credited late', async () => {
  await using world = await createAttributionWorld();
  const rule = await world.rule(url, {
    trigger: {
      type: 'time_elapsed_after_event',
      params: { event: 'registered', delayMinutes: 60, unlessEvent: 'purchase' },
    },
  });
  await world.record('purchase', { email: 'late@example.com', occurredAt: secondsAfter(new Date(), 30) });
  for (const name of ['buyer', 'late', 'other']) await world.register(`${name}@example.com`);
  await world.record('purchase', { email: 'buyer@example.com', occurredAt: secondsAfter(new Date(), 1) });
  await world.work(secondsAfter(new Date(), 60));
  const { deliveries } = world.service.api.service;
  await fireDueTimers(world.service.db.database, { now: secondsAfter(new Date(), 3700), deliveries });
  const { json } = await world.call(`GET /automations/${rule.id}/executions`);
  const outcomes = json.data.map(({ outcome, skipReason }: Record<string, string>) => skipReason ?? outcome);
  expect(outcomes.toSorted()).toEqual(['matched', 'other_event_came', 'other_event_came']);
});

test('a branch of an adaptive webinar with the condition "bought something" leads only buyers away from the default', async () => {
  await using world = await createWorld({
    publish: false,
    webinar: { kind: 'adaptive', durationSeconds: undefined },
  });
  const segment = async (title: string, fields: object): Promise<string> =>
    (await world.create('/segments', { title, durationSeconds: 60, ...fields }))['id']!;
  const intro = await segment('Intro', { isEntry: true });
  const [thanks, pitch] = [
    await segment('Thanks', { isTerminal: true }),
    await segment('Pitch', { isTerminal: true }),
  ];
  const leadTo = (toSegmentId: string, fields: object) =>
    world.create('/branches', { fromSegmentId: intro, toSegmentId, label: 'Next', ...fields });
  await leadTo(pitch, { via: 'default' });
  const conditions = [{ field: 'purchased', operator: 'eq', value: true }];
  await leadTo(thanks, { via: 'condition', conditions });
  await world.publish();
  const [buyer, other] = [await world.attend('buyer@example.com'), await world.attend('other@example.com')];
  world.startSession();
  await Promise.all([buyer.beat(), other.beat()]);
  // The buyer is in the room already.
  const shop = await createSender(world.service, world);
  expect((await shop.send({ email: 'buyer@example.com', timestamp: new Date().toISOString() })).status).toBe(
    202,
  );

  const nextOf = async (guest: Attendee): Promise<string> => {
    const { json } = await world.call(`GET /registrations/${guest.registrationId}/events`);
    return json.data.find(({ type }: { type: string }) => type === 'branch_taken')?.data.segment_id;
  };
  for (const [from, to, state] of [
    [0, 50, 'playing'],
    [50, 60, 'ended'],
  ] as const) {
    world.clock.advance(to - from);
    for (const guest of [buyer, other]) await guest.beat({ intervals: [[from, to]], state });
  }
  expect([await nextOf(buyer), await nextOf(other)]).toEqual([thanks, pitch]);
});

test('later refunds and renewals of a payment with a credit by hand fire nothing, nor does the payment while it is postponed', async () => {
  await using world = await createAttributionWorld();
  const rules = [await ruleOn(world, 'purchase'), await ruleOn(world, 'refund')];
  const registrationId = await world.register('ada@example.com');
  const stranger = { email: 'stranger@example.com', sharedKeys: ['sub_1'] };
  const joinable = factOf('purchase', { email: 'ada@example.com', mayBeJoined: true });
  const purchase = factOf('purchase', stranger);
  const ids = await world.recordAll([purchase, joinable]);
  for (const revenueEventId of ids)
    await world.owner.mutate('revenue.decideCredit', { revenueEventId, registrationId, why: 'Her company' });
  const renewal = factOf('purchase', { ...stranger, occurredAt: secondsAfter(new Date(), 60) });
  const refund = factOf('refund', { email: null, paymentKeys: purchase.paymentKeys });
  for (const id of await world.recordAll([renewal, refund]))
    expect((await world.event(id)).credit.registrationId).toBe(registrationId);
  await world.work(secondsAfter(new Date(), 120));
  for (const rule of rules) expect(await firedFor(world, rule)).toEqual([]);
});
