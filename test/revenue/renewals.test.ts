import fc from 'fast-check';
import type { RevenueFact } from '@service/revenue';
import { expect, test } from 'vitest';
import { openDashboard } from '../support/dashboard.ts';
import { createWorld } from '../support/world.ts';
import { createAttributionWorld } from './attribution-world.ts';
import { clearLedger, expectSums } from './ledger-reads.ts';
import { at, createLedgerWorld, purchase, refund, type LedgerWorld } from './ledger-world.ts';
import { checkout, createSender, stripeEvent } from './sender.ts';

const day = 86_400;

/** Payments of two subscriptions and of none. A renewal names the subscription, or the payment before it, as shops do. */
const payments = fc.array(
  fc.record({
    subscription: fc.constantFrom('a', 'a', 'b', 'none'),
    /** From a day to 80 days after the registrations. The window is 30 days. */
    days: fc.integer({ min: 0, max: 80 }),
    names: fc.constantFrom('subscription', 'payment before'),
    email: fc.constantFrom('ada@example.com', 'bob@example.com', 'stranger@example.com'),
    isRefunded: fc.boolean(),
  }),
  { minLength: 2, maxLength: 7 },
);

type Drawn = (typeof payments extends fc.Arbitrary<infer Value> ? Value : never)[number];

interface Named extends Drawn {
  key: string;
  fact: RevenueFact;
}

function toNamed(drawn: readonly Drawn[]): Named[] {
  const last = new Map<string, string>();
  return drawn.map((each, index) => {
    const key = `p${index}`;
    const before = last.get(each.subscription);
    last.set(each.subscription, key);
    const shared =
      each.names === 'payment before' && before !== undefined ? before : `sub ${each.subscription}`;
    const fact = purchase(key, {
      email: each.email,
      occurredAt: at(each.days * day),
      ...(each.subscription !== 'none' && { sharedKeys: [shared] }),
    });
    return { ...each, key, fact };
  });
}

/** The first payment of each payment by an own reading: the earliest of all that common names connect. */
function firstsOf(all: readonly Named[]): Map<string, Named> {
  const namesOf = ({ fact }: Named): string[] => [...fact.paymentKeys, ...(fact.sharedKeys ?? [])];
  return new Map(
    all.map((start) => {
      const reached = new Set([start]);
      for (const one of reached)
        for (const other of all)
          if (namesOf(one).some((name) => namesOf(other).includes(name))) reached.add(other);
      const [first] = [...reached].toSorted((a, b) => a.days - b.days || (a.key < b.key ? -1 : 1));
      return [start.key, first!];
    }),
  );
}

const creditsOf = async (world: LedgerWorld) =>
  world.query(
    `select e.object_id as key, f.object_id as first, c.level, r.email as name
     from revenue.revenue_event e join revenue.credit c on c.account_id = e.account_id and c.id = e.id
     left join revenue.revenue_event f on f.id = c.renewal_of
     left join attendees.registration r on r.id = c.registration_id
     order by e.object_id`,
  );

test('renewals have the credit of the first payment, in every order of arrival and over two processes', async () => {
  await using world = await createLedgerWorld();
  await world.registerAll('Ada', 'Bob');
  await fc.assert(
    fc.asyncProperty(
      payments,
      fc.infiniteStream(fc.nat()),
      fc.integer({ min: 1, max: 3 }),
      async (drawn, keys, size) => {
        await clearLedger(world);
        const all = toNamed(drawn);
        const facts = all.flatMap(({ key, fact, isRefunded }) => [
          fact,
          ...(isRefunded
            ? [refund(`r ${key}`, { paymentKeys: [key], email: null, occurredAt: at(90 * day) })]
            : []),
        ]);
        const mixed = facts
          .map((fact) => ({ fact, place: keys.next().value }))
          .toSorted((a, b) => a.place - b.place)
          .map(({ fact }) => fact);
        const batches = Array.from({ length: Math.ceil(mixed.length / size) }, (_unused, index) =>
          mixed.slice(index * size, (index + 1) * size),
        );
        await Promise.all(
          batches.map((batch, index) =>
            world.record(batch, { database: index % 2 === 0 ? world.database : world.second }),
          ),
        );
        const firsts = firstsOf(all);
        const expected = facts.map(({ objectId }) => {
          const key = objectId.replace('r ', '');
          const first = firsts.get(key)!;
          const isCredited = first.days <= 29 && first.email !== 'stranger@example.com';
          return {
            key: objectId,
            first: first.key === key ? null : first.key,
            level: isCredited ? 'registered' : 'unattributed',
            name: isCredited ? first.email : null,
          };
        });
        const read = await creditsOf(world);
        expect(read).toEqual(expected.toSorted((a, b) => (a.key < b.key ? -1 : 1)));
        await expectSums(world);
      },
    ),
    { numRuns: 60, seed: 29 },
  );
}, 60_000);

test('the explanation of a renewal names the first payment, and the summary has renewals apart', async () => {
  await using world = await createAttributionWorld();
  await world.age(await world.register('ada@example.com'), 20);
  const first = await world.record('purchase', { amountMinor: 19_900 });
  const [{ eventId, occurredAt }] = (
    await world.rest(`GET /revenue/events/${first}`)
  ).json.data.payment.events.map((event: { sourceEventId: string; occurredAt: string }) => ({
    eventId: event.sourceEventId,
    occurredAt: event.occurredAt,
  }));
  const second = await world.record('purchase', {
    amountMinor: 9900,
    email: 'other@example.com',
    sharedKeys: [eventId],
    occurredAt: new Date(Date.now() + 1000),
  });
  const renewal = (await world.rest(`GET /revenue/events/${second}`)).json.data;
  expect(renewal.credit).toMatchObject({
    level: 'registered',
    renewalOf: first,
    webinarId: world.webinar.id,
  });
  const moment = occurredAt.slice(0, 19).replace('T', ' at ');
  expect(renewal.explanation.slice(0, 2)).toEqual([
    `Renewal of the purchase on ${moment} UTC, and has its credit.`,
    'The e-mail address of the purchase has a registration.',
  ]);
  const { totals, groups } = (await world.rest('GET /revenue/summary?by=webinar')).json.data;
  for (const sums of [totals[0], groups[0]])
    expect(sums).toMatchObject({ grossMinor: 29_800, purchases: 2, renewalsMinor: 9900, renewals: 1 });

  // A shorter window takes the credit of the first payment, and with it that of the renewal.
  const owner = await openDashboard(world.service, world);
  const { moves } = await owner.query('revenueWindow.preview', { windowDays: 7 });
  expect(moves).toEqual([expect.objectContaining({ purchases: 2, grossMinor: 29_800 })]);
  await owner.mutate('revenueWindow.change', { windowDays: 7 });
  await world.finishRuns();
  expect((await owner.query('revenueWindow.get')).run).toMatchObject({ total: 1, checked: 1, moved: 2 });
  for (const id of [first, second])
    expect((await world.event(id)).credit).toMatchObject({ level: 'unattributed', reason: 'outside_window' });
});

test('the invoices of a subscription at Stripe are its first payment and its renewals', async () => {
  await using world = await createWorld();
  await world.register('ada@example.com');
  const { stripe } = await createSender(world.service, world);
  const session = { mode: 'subscription', payment_intent: null, invoice: 'in_1', subscription: 'sub_1' };
  await stripe(checkout(session));
  const invoice = {
    object: 'invoice',
    amount_paid: 4900,
    currency: 'eur',
    customer_email: 'billing@example.com',
  };
  await stripe(stripeEvent('invoice.paid', { ...invoice, id: 'in_1', subscription: 'sub_1' }));
  const parent = {
    type: 'subscription_details',
    subscription_details: { subscription: 'sub_1', metadata: {} },
  };
  const later = {
    ...stripeEvent('invoice.paid', { ...invoice, id: 'in_2', parent }),
    created: Math.floor(Date.now() / 1000),
  };
  await stripe(later);
  const { data } = (await world.rest('GET /revenue/events')).json;
  expect(data).toHaveLength(2);
  expect(data[0].credit).toMatchObject({ renewalOf: data[1].id, webinarId: world.webinar.id });
});

test('a first invoice that was paid in parts becomes a renewal with all its parts when an earlier payment is known', async () => {
  await using world = await createWorld();
  const { stripe } = await createSender(world.service, world);
  const now = Math.floor(Date.now() / 1000);
  const send = (type: string, secondsAgo: number, object: object) =>
    stripe({ ...stripeEvent(type, { currency: 'eur', ...object }), created: now - secondsAgo });
  const invoice = (id: string) => {
    const parent = { subscription_details: { subscription: 'sub_1', metadata: {} } };
    return send('invoice.paid', 10, { id, amount_paid: 500, customer_email: 'ada@example.com', parent });
  };
  const pay = (intent: string, of: string, amount: number, secondsAgo: number) =>
    send('invoice_payment.paid', secondsAgo, {
      id: `inpay_${intent}`,
      invoice: of,
      amount_paid: amount,
      payment: { type: 'payment_intent', payment_intent: intent },
    });
  await invoice('in_2');
  await invoice('in_1');
  await pay('pi_2', 'in_2', 400, 10);
  await pay('pi_3', 'in_2', 100, 20);
  /** The amount of the first payment, by that of each payment. */
  const read = async () => {
    const { rows } = await world.service.db.database.pool.query(`
      select p.amount_minor::integer as amount, first.amount_minor::integer as first
      from revenue.payment p join revenue.credit c on c.account_id = p.account_id and c.id = p.id
      left join revenue.payment first on first.account_id = p.account_id and first.id = c.renewal_of`);
    return Object.fromEntries(rows.map(({ amount, first }) => [amount, first]));
  };
  expect(await read()).toEqual({ 400: null, 100: null, 500: 100 });
  await pay('pi_1', 'in_1', 500, 30);
  expect(await read()).toEqual({ 400: 500, 100: 500, 500: null });
});

test('a registration that was cancelled before the purchase earns no credit, unless its attendee has joined', async () => {
  await using world = await createWorld();
  const sender = await createSender(world.service, world);
  const watched = await world.attend('watched@example.com');
  const cancelled = await world.register('cancelled@example.com');
  world.startSession();
  await watched.visit();
  await watched.beat();
  const send = async (event_id: string, email: string, timestamp: Date) =>
    (await sender.send({ event_id, email, timestamp: timestamp.toISOString() })).json.id;
  const before = await send('before', 'cancelled@example.com', new Date());
  for (const id of [watched.registrationId, cancelled]) await world.call(`POST /registrations/${id}/cancel`);
  const soon = new Date(Date.now() + 1000);
  const after = await send('after', 'cancelled@example.com', soon);
  const joined = await send('joined', 'watched@example.com', soon);
  const read = async (id: string) => (await world.rest(`GET /revenue/events/${id}`)).json.data;
  expect((await read(before)).credit.level).toBe('registered');
  expect((await read(joined)).credit.registrationId).toBe(watched.registrationId);
  const event = await read(after);
  expect(event.credit).toMatchObject({ level: 'unattributed', reason: 'cancelled' });
  expect(event.explanation[0]).toBe(
    'Not credited: the registration was cancelled before the purchase, and the buyer never joined.',
  );
  expect(event.considered.touches).toEqual([expect.objectContaining({ lost: 'cancelled' })]);
});
