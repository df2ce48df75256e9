// Purchases and refunds as rows of a database, each with its whole explanation. Cases of the rule alone are in
// modules/revenue/src/attribution/attribute.test.ts and attribute-times.test.ts.
import type { RevenueFact } from '@service/revenue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createAttributionWorld,
  factOf,
  neighbourOf,
  secondsAfter,
  type AttributionWorld,
} from './attribution-world.ts';
import { createSender, type Sender } from './sender.ts';

let world: AttributionWorld;
let shop: Sender;
beforeAll(async () => {
  world = await createAttributionWorld();
  shop = await createSender(world.service, world);
});
afterAll(() => world?.[Symbol.asyncDispose]());

const boughtAt = new Date('2025-11-20T12:00:00Z');
const daySeconds = 86_400;
const before = (days: number, seconds = 0): Date => secondsAfter(boughtAt, -days * daySeconds - seconds);

/** Registers a person at a time; the registration's id. */
async function registerAt(email: string, at: Date, own = world): Promise<string> {
  const id = await own.register(email);
  await own.service.db.database.pool.query(
    'update attendees.registration set registered_at = $3 where account_id = $1 and id = $2',
    [own.accountId, id, at],
  );
  return id;
}

const purchaseOf = (email: string, fields: Partial<RevenueFact> = {}): RevenueFact =>
  factOf('purchase', { email, occurredAt: boughtAt, ...fields });

/** Records a purchase and refunds of it; the ids of their events. */
const recordRefunded = (purchase: RevenueFact, ...refunds: Partial<RevenueFact>[]): Promise<string[]> => {
  const { email, currency, paymentKeys } = purchase;
  return world.recordAll([
    purchase,
    ...refunds.map((fields) =>
      factOf('refund', { email, currency, paymentKeys, occurredAt: secondsAfter(boughtAt, 60), ...fields }),
    ),
  ]);
};

const byEmail = 'The e-mail address of the purchase has a registration.';
const thirtyDays = 'The attribution window is 30 days.';
const ofPurchase = 'This event has the credit of its purchase.';
const oneDay = [
  byEmail,
  'Credited: registered for “Launch” on 2025-11-19 at 12:00:00 UTC, 1 day before the purchase.',
  thirtyDays,
];
const unknown = ['Not credited: no registration matches the purchase.'];

test('a touch in the first second of the window gets the credit, and one a second earlier does not', async () => {
  await registerAt('first-second@example.com', before(30));
  await registerAt('too-early@example.com', before(30, 1));
  const [inside, outside] = await world.recordAll([
    purchaseOf('first-second@example.com'),
    purchaseOf('too-early@example.com'),
  ]);
  expect((await world.event(inside!)).explanation).toEqual([
    byEmail,
    'Credited: registered for “Launch” on 2025-10-21 at 12:00:00 UTC, 30 days before the purchase.',
    thirtyDays,
  ]);
  expect((await world.event(outside!)).explanation).toEqual([
    'Not credited: everything that the buyer did was too long before the purchase.',
    `Not credited: registered for “Launch” on 2025-10-21 at 11:59:59 UTC, 30 days 1 s before the purchase. ${thirtyDays}`,
  ]);
});

test('the times of a shop in another zone are compared as instants', async () => {
  await registerAt('zone@example.com', before(1));
  const { json } = await shop.send({ email: 'zone@example.com', timestamp: '2025-11-21T02:00:00+14:00' });
  const event = await world.event(json.id);
  expect([event.occurredAt, event.explanation]).toEqual([boughtAt.toISOString(), oneDay]);
});

test('a click id joins two e-mail addresses of one person, and the address of the purchase is not asked', async () => {
  await registerAt('home@example.com', before(3));
  const { attendee, clickId } = await world.click('work@example.com');
  const { pool } = world.service.db.database;
  const moved = {
    'registration set registered_at = $2 where id': before(1),
    'attendance set first_joined_at = $2 where registration_id': secondsAfter(boughtAt, -45 * 60),
    'attendee_event set occurred_at = $2 where registration_id': secondsAfter(boughtAt, -5 * 60),
  };
  for (const [change, at] of Object.entries(moved))
    await pool.query(`update attendees.${change} = $1`, [attendee.registrationId, at]);
  const id = await world.record('purchase', { email: 'home@example.com', clickId, occurredAt: boughtAt });
  const { credit, explanation } = await world.event(id);
  expect(credit.registrationId).toBe(attendee.registrationId);
  expect(explanation).toEqual([
    'The purchase has the id of a click on a link of this workspace.',
    'Credited: clicked the offer “course-offer” in “Launch” on 2025-11-20 at 11:55:00 UTC, 5 min before the purchase.',
    thirtyDays,
    'The purchase has the id of this click.',
    'Not credited: joined “Launch” on 2025-11-20 at 11:15:00 UTC, 45 min before the purchase. An offer click counts before a joined session.',
    'Not credited: registered for “Launch” on 2025-11-19 at 12:00:00 UTC, 1 day before the purchase. An offer click or a joined session counts before a registration.',
  ]);
});

test('another spelling of an address is another person, and upper case is the same one', async () => {
  await registerAt('eve@example.com', before(1));
  const explanationOf = async (email: string): Promise<string[]> => {
    const { json } = await shop.send({ email, timestamp: boughtAt.toISOString() });
    return (await world.event(json.id)).explanation;
  };
  expect(await explanationOf('eve+shop@example.com')).toEqual(unknown);
  expect(await explanationOf(' Eve@Example.COM ')).toEqual(oneDay);
});

test('a person who registers a day after the purchase is named in the explanation of a late report', async () => {
  await registerAt('after@example.com', before(-1));
  const id = await world.record('purchase', { email: 'after@example.com', occurredAt: boughtAt });
  expect((await world.event(id)).explanation).toEqual([
    'Not credited: everything that the buyer did was after the purchase.',
    'Not credited: registered for “Launch” on 2025-11-21 at 12:00:00 UTC, 1 day after the purchase. Only touches up to 5 min after the purchase count.',
  ]);
});

test('an archived webinar keeps its credit and its title', async () => {
  const other = await neighbourOf(world);
  await registerAt('ada@example.com', before(1), other);
  await other.call('POST /archive');
  const id = await other.record('purchase', { occurredAt: boughtAt });
  expect((await other.event(id)).explanation).toEqual(oneDay);
});

test('a registration that was deleted before the purchase arrived matches nothing', async () => {
  const registrationId = await registerAt('gone@example.com', before(1));
  await world.service.db.database.pool.query('delete from attendees.registration where id = $1', [
    registrationId,
  ]);
  const id = await world.record('purchase', {
    email: 'gone@example.com',
    registrationId,
    occurredAt: boughtAt,
  });
  expect((await world.event(id)).explanation).toEqual(unknown);
});

test('a refund long after the window has the credit of its purchase', async () => {
  await registerAt('late-refund@example.com', before(1));
  const [, id] = await recordRefunded(purchaseOf('late-refund@example.com'), {
    occurredAt: before(-100),
    amountMinor: -400,
  });
  const event = await world.event(id!);
  expect(event).toMatchObject({ amountMinor: -400, pairing: 'transaction', state: 'partially_refunded' });
  expect(event.explanation).toEqual([ofPurchase, ...oneDay]);
});

test('a refund whose purchase is unknown says that it has not arrived', async () => {
  await registerAt('unpaired@example.com', before(1));
  const id = await world.record('refund', {
    email: 'unpaired@example.com',
    paymentKeys: ['never sold'],
    occurredAt: boughtAt,
  });
  const event = await world.event(id);
  expect(event).toMatchObject({ pairing: 'unpaired', credit: { reason: 'unpaired' } });
  expect(event.explanation).toEqual(['Not credited yet: the purchase of this event has not arrived.']);
});

test('refunds of more than was paid are credited in full, and flagged', async () => {
  await registerAt('over@example.com', before(1));
  const [purchaseId, , id] = await recordRefunded(
    purchaseOf('over@example.com'),
    { amountMinor: -1000 },
    { amountMinor: -1 },
  );
  const event = await world.event(id!);
  expect(event).toMatchObject({ overRefunded: true, state: 'refunded', amountMinor: -1 });
  expect(event.payment).toMatchObject({ refundedMinor: 1001, netMinor: -1, overRefunded: true });
  expect(event.explanation).toEqual([ofPurchase, ...oneDay]);
  expect((await world.event(purchaseId!)).explanation).toEqual(oneDay);
});

test.each([
  ['a purchase of nothing', 'EUR', 0],
  ['yen, which have no smaller unit', 'JPY', 12_000],
  ['dinars of a thousand fils', 'KWD', 25_500],
])('%s has its amount and its credit, and so has its refund', async (_name, currency, amountMinor) => {
  const email = `${currency.toLowerCase()}@example.com`;
  const registrationId = await registerAt(email, before(1));
  const [id, refundId] = await recordRefunded(purchaseOf(email, { currency, amountMinor }), {
    amountMinor: 0 - amountMinor,
  });
  const event = await world.event(id!);
  expect(event).toMatchObject({ amountMinor, currency, credit: { level: 'registered', registrationId } });
  expect(event.payment).toMatchObject({ netMinor: 0 });
  expect(event.explanation).toEqual(oneDay);
  expect((await world.event(refundId!)).explanation).toEqual([ofPurchase, ...oneDay]);
});
