import { randomInt, randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { createWorld } from '../support/world.ts';
import { createSender, type Sender } from './sender.ts';
import { groupsOf, readEvents, sumUp, summaryOf, type Event } from './sums.ts';

const keyOf: Record<string, (event: Event) => string | null> = {
  day: ({ occurredAt }) => occurredAt.slice(0, 10),
  webinar: ({ credit }) => credit.webinarId,
  offer: ({ credit }) => credit.interactionId,
  level: ({ credit }) => credit.level,
  utmSource: ({ credit }) => credit.utmSource,
  source: ({ source }) => source,
};

const dayMs = 86_400_000;
const midnight = (daysFromToday: number): string =>
  new Date((Math.floor(Date.now() / dayMs) + daysFromToday) * dayMs).toISOString();
const daysAgo = (days: number): string => new Date(Date.now() - days * dayMs).toISOString();

/** Purchases by people of two webinars and by strangers, in an hour and on earlier days; some are taken back. */
async function buy(sender: Sender, emails: readonly string[]): Promise<void> {
  for (let index = 0; index < 60; index += 1) {
    const event_id = `sale_${index}`;
    const email = emails[randomInt(emails.length)]!;
    const currency = ['EUR', 'USD', 'JPY'][randomInt(3)]!;
    const timestamp = index % 2 === 0 ? daysAgo(-1 / 24) : daysAgo(randomInt(12));
    const amount_minor = randomInt(10_000);
    const sold = { event_id, type: 'purchase', email, amount_minor, currency, timestamp };
    expect((await sender.send(sold)).status).toBe(202);
    if (index % 3 !== 0) continue;
    const type = index % 2 === 0 ? 'refund' : 'chargeback';
    const taken = { type, amount_minor: -randomInt(amount_minor + 1), original_transaction_id: event_id };
    await sender.send({ ...sold, ...taken, event_id: `back_${index}` });
  }
}

test('the sums of every grouping are those of the events, in total and for one webinar', async () => {
  await using world = await createWorld();
  const offerId = await world.interaction({
    type: 'offer',
    url: 'https://example.com/buy',
    buttonLabel: 'Buy',
  });
  const clicker = await world.attend('clicker@example.com', { utm_source: 'newsletter' });
  await world.register('quiet@example.com', { utm_source: 'ads' });
  world.startSession();
  await clicker.visit();
  await clicker.beat();
  await clicker.click(offerId);
  const other = await createWorld({ beside: world, workspace: world });
  await other.register('other@example.com');
  const sender = await createSender(world.service, world);
  // Of another account, whose webinar is no webinar of this one.
  const neighbour = await world.neighbour();
  await (await createSender(world.service, neighbour)).send({ amount_minor: 424_242 });
  await buy(sender, [
    'clicker@example.com',
    'quiet@example.com',
    'other@example.com',
    'stranger@example.com',
  ]);

  const events = await readEvents(world);
  expect(new Set(events.map(({ credit }) => credit.webinarId))).toContain(other.webinar.id);
  expect(events.some(({ credit }) => credit.interactionId === offerId)).toBe(true);
  const scopes: [Record<string, string>, readonly Event[]][] = [
    [{}, events],
    [{ webinarId: world.webinar.id }, events.filter(({ credit }) => credit.webinarId === world.webinar.id)],
    [{ currency: 'jpy' }, events.filter(({ currency }) => currency === 'JPY')],
    [{ webinarId: randomUUID() }, []],
    [{ webinarId: neighbour.webinar.id }, []],
  ];
  // An event of the test may be of tomorrow.
  const range = { from: midnight(-20), to: midnight(2) };
  for (const [scope, own] of scopes) {
    for (const [by, key] of Object.entries(keyOf)) {
      const { groups, totals } = await summaryOf(world, { ...scope, ...range, by });
      const name = `${JSON.stringify(scope)} by ${by}`;
      expect(groupsOf(groups), name).toEqual(sumUp(own, key));
      expect(groupsOf(totals), name).toEqual(sumUp(own));
    }
  }
});

test('the trend is the net revenue of 30 days and of the 30 days before, by currency, the one with the most purchases first', async () => {
  await using world = await createWorld();
  const sender = await createSender(world.service, world);
  const sales: [daysAgo: number, currency: string, amount: number][] = [
    [0.001, 'EUR', 3000],
    [29.9, 'EUR', 500],
    [29.9, 'JPY', 70],
    [30.1, 'EUR', 20],
    [59.9, 'USD', 9],
    [60.1, 'EUR', 100_000],
    [5, 'JPY', 1],
    [6, 'JPY', 1],
  ];
  for (const [index, [days, currency, amount_minor]] of sales.entries())
    expect(
      await sender.send({
        event_id: `sale_${index}`,
        type: 'purchase',
        timestamp: daysAgo(days),
        currency,
        amount_minor,
      }),
    ).toMatchObject({ status: 202 });
  const returned = { event_id: 'back', type: 'refund', original_transaction_id: 'sale_1' };
  await sender.send({ ...returned, timestamp: daysAgo(1), currency: 'EUR', amount_minor: -200 });
  const read = async (workspace: Parameters<typeof openDashboard>[1]) =>
    (await openDashboard(world.service, workspace)).query('revenue.trend');
  expect(await read(world)).toEqual({
    current: [
      { currency: 'JPY', netMinor: 72 },
      { currency: 'EUR', netMinor: 3300 },
    ],
    former: [
      { currency: 'EUR', netMinor: 20 },
      { currency: 'USD', netMinor: 9 },
    ],
  });
  expect(await read(await world.neighbour())).toEqual({ current: [], former: [] });
});

test('the share without a registration, and net revenue by the people who registered and joined', async () => {
  await using world = await createWorld();
  const joined = await world.attend('joined@example.com');
  await world.register('absent@example.com');
  const cancelled = await world.register('cancelled@example.com');
  await world.call(`POST /registrations/${cancelled}/cancel`);
  world.startSession();
  await joined.visit();
  await joined.beat();
  const sender = await createSender(world.service, world);
  const sale = { type: 'purchase', currency: 'EUR', timestamp: new Date().toISOString() };
  await sender.send({ ...sale, event_id: 'one', email: 'absent@example.com', amount_minor: 3001 });
  await sender.send({ ...sale, event_id: 'two', email: 'stranger@example.com', amount_minor: 1000 });

  const { totals, groups } = await summaryOf(world, { by: 'webinar' });
  expect(totals).toEqual([
    expect.objectContaining({
      netMinor: 4001,
      unattributedShare: 1000 / 4001,
      registrants: 2,
      attendees: 1,
      perRegistrantMinor: 2001,
      perAttendeeMinor: 4001,
    }),
  ]);
  expect(groups).toEqual([
    expect.objectContaining({
      key: world.webinar.id,
      title: 'Launch',
      netMinor: 3001,
      registrants: 2,
      attendees: 1,
      perRegistrantMinor: 1501,
      perAttendeeMinor: 3001,
    }),
    expect.objectContaining({
      key: null,
      title: null,
      netMinor: 1000,
      registrants: null,
      perAttendeeMinor: null,
    }),
  ]);
  // No person has registered tomorrow.
  const later = await summaryOf(world, { by: 'webinar', from: midnight(1), to: midnight(2) });
  expect(later).toMatchObject({ totals: [], groups: [] });
});

test('sums beyond 2^53 are answered', async () => {
  await using world = await createWorld();
  const sender = await createSender(world.service, world);
  const sale = {
    email: 'rich@example.com',
    amount_minor: 999_999_999_999,
    timestamp: new Date().toISOString(),
  };
  await sender.send({ ...sale, event_id: 'one' });
  // As ten million of these purchases.
  await world.service.db.database.pool.query(
    'update revenue.total set gross_minor = gross_minor * 10000000 where account_id = $1',
    [world.accountId],
  );
  const { totals, groups } = await summaryOf(world, { by: 'webinar' });
  for (const { grossMinor, netMinor } of [totals[0], groups[0]])
    expect([grossMinor, netMinor]).toEqual([9_999_999_999_990_000_000, 9_999_999_999_990_000_000]);
});

test('a time range contains its first moment and not its last one', async () => {
  await using world = await createWorld();
  const sender = await createSender(world.service, world);
  const sale = { type: 'purchase', currency: 'EUR', email: 'a@example.com', amount_minor: 1 };
  const before = (time: string): string => new Date(Date.parse(time) - 1).toISOString();
  const times = [before(midnight(-3)), midnight(-3), before(midnight(-2)), midnight(-2)];
  for (const [index, timestamp] of times.entries())
    await sender.send({ ...sale, event_id: `sale_${index}`, amount_minor: 10 ** index, timestamp });
  const { groups } = await summaryOf(world, { from: midnight(-3), to: midnight(-2) });
  expect(groups).toEqual([expect.objectContaining({ key: midnight(-3).slice(0, 10), grossMinor: 110 })]);
});
