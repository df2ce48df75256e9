import fc from 'fast-check';
import { createAttribution, recordFacts, type RevenueFact } from '@service/revenue';
import { expect, test } from 'vitest';
import { silent } from '../attendees/clock-world.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { createTestMember } from '../support/api.ts';
import { writeAs } from '../support/factories.ts';
import { createWorld, type World } from '../support/world.ts';
import { groupsOf, readEvents, sumUp, summaryOf, type Event } from './sums.ts';

/** With clock changes at two in the morning, at midnight, by half an hour, none, and with offsets of a quarter of an hour. */
const zones = [
  'Europe/Berlin',
  'America/New_York',
  'America/Havana',
  'Africa/Cairo',
  'Australia/Lord_Howe',
  'Pacific/Chatham',
  'Asia/Kathmandu',
  'UTC',
] as const;

/** Around the clock changes of these zones in the spring and in the autumn of 2025. */
const weeks = [
  '2025-03-07',
  '2025-03-28',
  '2025-04-04',
  '2025-04-24',
  '2025-10-03',
  '2025-10-25',
  '2025-10-30',
];
const minuteMs = 60_000;
const dayMs = 86_400_000;

const time = fc
  .tuple(fc.constantFrom(...weeks), fc.integer({ min: 0, max: 4 * 24 * 60 }), fc.constantFrom(0, 1, 59_999))
  .map(([day, minutes, ms]) => Date.parse(`${day}T00:00Z`) + minutes * minuteMs + ms);

const fact = fc.record({
  at: time,
  type: fc.constantFrom<Drawn['type']>('purchase', 'purchase', 'refund', 'chargeback', 'refund_reversal'),
  amount: fc.integer({ min: 0, max: 100_000 }),
  currency: fc.constantFrom('EUR', 'EUR', 'JPY'),
  provider: fc.constantFrom('generic', 'stripe'),
  /** For some purchases: how many minutes before them their charge of another amount was. */
  chargedBefore: fc.option(fc.integer({ min: 0, max: 120 }), { freq: 1 }),
});

/** Whole days, or two instants. */
const rangeOf = fc.oneof(
  fc.tuple(time, fc.integer({ min: 0, max: 300 })).map(([at, days]) => {
    const day = (ms: number): string => new Date(ms).toISOString().slice(0, 10);
    return { from: day(at), to: day(at + days * dayMs) };
  }),
  fc.tuple(time, fc.integer({ min: 1, max: 200 * 24 * 60 })).map(([at, minutes]) => ({
    from: new Date(at).toISOString(),
    to: new Date(at + minutes * minuteMs).toISOString(),
  })),
);

const dayFormats = new Map<string, Intl.DateTimeFormat>();

/** The date that the clocks of a zone show, from the tables of the JavaScript engine. */
function localDay(occurredAt: string, timeZone: string): string {
  const format =
    dayFormats.get(timeZone) ?? new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' });
  dayFormats.set(timeZone, format);
  return format.format(new Date(occurredAt));
}

const mondayOf = (day: string): string => {
  const ms = Date.parse(day);
  return new Date(ms - ((new Date(ms).getUTCDay() + 6) % 7) * dayMs).toISOString().slice(0, 10);
};

const keys: Record<string, (event: Event, timeZone: string) => string> = {
  day: ({ occurredAt }, timeZone) => localDay(occurredAt, timeZone),
  week: ({ occurredAt }, timeZone) => mondayOf(localDay(occurredAt, timeZone)),
  month: ({ occurredAt }, timeZone) => localDay(occurredAt, timeZone).slice(0, 7),
  source: ({ source }) => source,
};

const attribution = createAttribution({ subscriber: silent });

const record = ({ service, accountId }: World, facts: readonly RevenueFact[]): Promise<unknown> =>
  writeAs(service.db.database, accountId, (tx) => recordFacts(tx, facts, attribution));

interface Drawn {
  at: number;
  type: 'purchase' | 'refund' | 'chargeback' | 'refund_reversal';
  amount: number;
  currency: string;
  provider: string;
  chargedBefore?: number | null;
}

const toFact = ({ at, type, amount, currency, provider }: Drawn, index: number): RevenueFact => ({
  currency,
  provider,
  type,
  eventId: `event_${index}`,
  objectId: `event_${index}`,
  email: 'ada@example.com',
  amountMinor: type === 'purchase' || type === 'refund_reversal' ? amount : 0 - amount,
  occurredAt: new Date(at),
  paymentKeys: type === 'purchase' ? [`payment_${index}`] : [],
  ...(type === 'purchase' && { kind: 'checkout_session' as const }),
  ...(type === 'refund_reversal' && { reverses: `unknown_${index}` }),
  clickId: null,
  registrationId: null,
});

/** The charge of a purchase, which corrects its amount and its time. */
const toCharges = (drawn: Drawn, index: number): RevenueFact[] => {
  const { type, at, amount, chargedBefore } = drawn;
  if (type !== 'purchase' || chargedBefore === null || chargedBefore === undefined) return [];
  const id = `charge_${index}`;
  return [
    {
      ...toFact({ ...drawn, at: at - chargedBefore * minuteMs, amount: amount + 1 }, index),
      kind: 'charge',
      eventId: id,
      objectId: id,
    },
  ];
};

test('sums by day, week and month are those of the list over the same instants, in every zone and across changes of clocks', async () => {
  await using world = await createWorld();
  await world.register('ada@example.com');
  const owner = await openDashboard(world.service, world);
  const [drawn] = fc.sample(fc.array(fact, { minLength: 400, maxLength: 400 }), { numRuns: 1, seed: 29 });
  await record(world, drawn!.map(toFact));
  const charges = drawn!.flatMap(toCharges);
  await record(world, charges);
  const events = await readEvents(world);
  expect(events).toHaveLength(400 + 2 * charges.length);
  for (const [index, timeZone] of zones.entries()) {
    await owner.mutate('accounts.workspace.changeTimeZone', { timeZone });
    for (const range of fc.sample(rangeOf, { numRuns: 10, seed: index })) {
      const listed = await readEvents(world, range);
      for (const by of Object.keys(keys)) {
        const summary = await summaryOf(world, { ...range, by });
        const name = `${timeZone} ${JSON.stringify(range)} by ${by}`;
        const own = events.filter(({ occurredAt }) => occurredAt >= summary.from && occurredAt < summary.to);
        expect(groupsOf(summary.groups), name).toEqual(sumUp(own, (event) => keys[by]!(event, timeZone)));
        expect(listed.length, name).toBe(own.length);
        expect(groupsOf(summary.totals), name).toEqual(sumUp(listed));
        expect(summary.timeZone).toBe(timeZone);
        if (range.from.length === 10)
          expect(own.map((event) => localDay(event.occurredAt, timeZone)).every(isIn(range)), name).toBe(
            true,
          );
      }
    }
  }
}, 120_000);

const isIn =
  ({ from, to }: { from: string; to: string }) =>
  (day: string): boolean =>
    day >= from && day <= to;

test('sums of one webinar are those of its events between two instants', async () => {
  await using world = await createWorld();
  await world.register('ada@example.com');
  const soon = Date.now();
  const sale = { type: 'purchase', amount: 1000, currency: 'EUR', provider: 'generic' } as const;
  const times = [0, 1, 29, 31, 60 * 24 - 1].map((minutes) => soon + minutes * minuteMs);
  await record(
    world,
    times.map((at, index) => toFact({ ...sale, at }, index)),
  );
  const range = { from: new Date(soon).toISOString(), to: new Date(soon + 30 * minuteMs).toISOString() };
  for (const by of ['day', 'webinar', 'level']) {
    // Near midnight there are two days.
    const groups: { netMinor: number; purchases: number }[] = (
      await summaryOf(world, { ...range, by, webinarId: world.webinar.id })
    ).groups;
    const sums = groups.reduce((sum, group) => [sum[0]! + group.netMinor, sum[1]! + group.purchases], [0, 0]);
    expect(sums, by).toEqual([3000, 3]);
  }
});

test('only an owner changes the time zone, to a known one, and keys and members read it', async () => {
  await using world = await createWorld();
  const owner = await openDashboard(world.service, world);
  expect((await world.rest('GET /me')).json.data.account.timeZone).toBe('UTC');
  for (const timeZone of ['Mars/Olympus', '+01:00', ''])
    expect(await refusalOf(owner.mutate('accounts.workspace.changeTimeZone', { timeZone })), timeZone).toBe(
      'validation_failed',
    );
  const member = await openDashboard(world.service, await createTestMember(world.service, world.accountId));
  const change = { timeZone: 'Asia/Kathmandu' };
  expect(await refusalOf(member.mutate('accounts.workspace.changeTimeZone', change))).not.toBe('accepted');
  await owner.mutate('accounts.workspace.changeTimeZone', change);
  expect(await member.query('accounts.workspace.get')).toMatchObject(change);
  expect((await world.rest('GET /me')).json.data.account.timeZone).toBe('Asia/Kathmandu');
  const { rows } = await world.service.db.database.pool.query('select changed_by from accounts.setting');
  expect(rows).toHaveLength(1);
});
