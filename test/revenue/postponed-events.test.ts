// Since 2025 a charge names no invoice, and an invoice no charge: only `invoice_payment.paid` names both. So rules wait for it.
import { revenueProviders } from '@service/revenue';
import { expect, test } from 'vitest';
import { createSender } from './sender.ts';
import { createAttributionWorld, factOf, secondsAfter, type AttributionWorld } from './attribution-world.ts';

const stripe = revenueProviders.find(({ name }) => name === 'stripe')!;

interface Order {
  version: string;
  number: number;
}

/** The facts of the first payment of a subscription, as an endpoint of this API version receives them. */
function subscription({ version, number }: Order, amounts = { charge: 4900, invoice: 4900 }) {
  const isOld = version < '2025-03-31';
  const [pi, ch, invoice] = [`pi_${version}_${number}`, `ch_${version}_${number}`, `in_${version}_${number}`];
  const money = { currency: 'eur', metadata: {}, ...(isOld && { invoice }) };
  const customer_email = 'ada@example.com';
  const objects: [string, object][] = [
    [
      'charge.succeeded',
      {
        id: ch,
        captured: true,
        amount_captured: amounts.charge,
        payment_intent: pi,
        receipt_email: customer_email,
        ...money,
      },
    ],
    [
      'invoice.paid',
      {
        id: invoice,
        amount_paid: amounts.invoice,
        currency: 'eur',
        customer_email,
        ...(isOld && { payment_intent: pi, charge: ch }),
      },
    ],
    [
      'checkout.session.completed',
      {
        id: `cs_${version}_${number}`,
        mode: 'subscription',
        payment_status: 'paid',
        amount_total: amounts.invoice,
        currency: 'eur',
        customer_details: { email: customer_email },
        payment_intent: null,
        invoice,
      },
    ],
    [
      isOld ? 'payment_intent.succeeded' : 'invoice_payment.paid',
      isOld
        ? { id: pi, amount_received: amounts.charge, latest_charge: ch, ...money }
        : {
            id: `inpay_${version}_${number}`,
            invoice,
            amount_paid: amounts.charge,
            currency: 'eur',
            payment: { payment_intent: pi },
          },
    ],
  ];
  return objects.map(([type, object], index) =>
    readFact({ version, type, object, id: `${number}_${index}` }),
  );
}

function readFact({
  version,
  type,
  object,
  id,
}: {
  version: string;
  type: string;
  object: object;
  id: string;
}) {
  const now = new Date();
  const created = Math.floor(now.getTime() / 1000);
  const event = { id: `evt_${version}_${id}`, type, created, api_version: version, data: { object } };
  const reading = stripe.read(Buffer.from(JSON.stringify(event)), { now });
  if (reading.kind !== 'facts') throw new Error(`${type} is ${reading.kind}`);
  return reading.facts[0]!;
}

const ordersOf = <Item>(items: readonly Item[]): Item[][] =>
  items.length < 2
    ? [[...items]]
    : items.flatMap((first) =>
        ordersOf(items.filter((item) => item !== first)).map((rest) => [first, ...rest]),
      );

/** The amounts of the purchases that were published, oldest first. */
async function published({ service }: AttributionWorld): Promise<number[]> {
  const { rows } = await service.db.database.pool.query(
    `select data->>'amountMinor' as amount from attendees.attendee_event where type = 'purchase' order by id`,
  );
  return rows.map(({ amount }) => Number(amount));
}

test('a subscription fires once in each of the 24 orders of its events, in old and new API versions', async () => {
  await using world = await createAttributionWorld();
  await world.register('ada@example.com');
  let before = 0;
  for (const version of ['2023-10-16', '2025-03-31.basil', '2025-09-30.clover'])
    for (const [number, places] of ordersOf([0, 1, 2, 3]).entries()) {
      const facts = subscription({ version, number });
      for (const place of places) await world.recordAll([facts[place]!]);
      // Nothing can join it any more, so it has fired without a wait.
      expect(await published(world), `${version} ${places.join(' ')}`).toHaveLength(before + 1);
      before += 1;
    }
  await world.work(secondsAfter(new Date(), 61));
  expect(await published(world)).toHaveLength(72);
});

test('a charge that an invoice may join is in the ledger at once, and fires after a minute, and not again when its amount is corrected', async () => {
  await using world = await createAttributionWorld();
  await world.register('ada@example.com');
  const [charge, invoice, session, part] = subscription(
    { version: '2025-09-30.clover', number: 1 },
    { charge: 900, invoice: 1000 },
  );
  const [id] = await world.recordAll([invoice!]);
  expect((await world.event(id!)).payment).toMatchObject({ amountMinor: 1000 });
  await world.work(secondsAfter(new Date(), 50));
  expect(await published(world)).toEqual([]);
  await Promise.all([world.work(secondsAfter(new Date(), 61)), world.work(secondsAfter(new Date(), 61))]);
  expect(await published(world)).toEqual([1000]);
  await world.recordAll([part!, session!]);
  await world.recordAll([charge!]);
  await world.work(secondsAfter(new Date(), 200));
  expect(await published(world)).toEqual([1000]);
  const { payment, explanation } = await world.event(id!);
  expect(payment).toMatchObject({ amountMinor: 900 });
  expect(explanation.join(' ')).toContain(
    'The amount of this payment was corrected from 1000 to 900 EUR minor units',
  );
});

test('a generic purchase and a one-time checkout fire at once, and a refund of a payment that waits comes after its purchase', async () => {
  await using world = await createAttributionWorld();
  await world.register('ada@example.com');
  await world.recordAll([factOf('purchase', { amountMinor: 1 })]);
  expect(await published(world)).toEqual([1]);
  const version = '2025-09-30.clover';
  const intent = readFact({
    version,
    type: 'payment_intent.succeeded',
    id: 'pi',
    object: {
      id: 'pi_1',
      amount_received: 2,
      currency: 'eur',
      receipt_email: 'ada@example.com',
      latest_charge: 'ch_1',
    },
  });
  const refund = {
    ...factOf('refund', { amountMinor: -1, provider: 'stripe', email: null, paymentKeys: ['pi_1'] }),
  };
  await world.recordAll([intent]);
  await world.recordAll([refund]);
  expect(await published(world)).toEqual([1]);
  const session = {
    id: 'cs_1',
    mode: 'payment',
    payment_status: 'paid',
    amount_total: 2,
    currency: 'eur',
    payment_intent: 'pi_1',
    invoice: null,
  };
  await world.recordAll([
    readFact({ version, type: 'checkout.session.completed', id: 'cs', object: session }),
  ]);
  expect(await published(world)).toEqual([1, 2]);
  const { rows } = await world.service.db.database.pool.query(
    `select type from attendees.attendee_event where type in ('purchase', 'refund') order by id`,
  );
  expect(rows.map(({ type }) => type)).toEqual(['purchase', 'purchase', 'refund']);
});

test('the source counts invoices whose payment no event has named, until invoice_payment.paid arrives', async () => {
  await using world = await createAttributionWorld();
  const { owner } = await createSender(world.service, world);
  const countOf = async (): Promise<number> => {
    const sources = await owner.query('revenueSources.list');
    return sources.find(({ provider }: { provider: string }) => provider === 'stripe').invoicesWithoutPayment;
  };
  const [charge, invoice, session, part] = subscription({ version: '2025-09-30.clover', number: 1 });
  await world.recordAll([charge!]);
  await world.recordAll([invoice!, session!]);
  expect(await countOf()).toBe(0);
  // As if they had waited for their minute.
  await world.service.db.database.pool.query(
    `update revenue.payment set joinable_until = joinable_until - interval '2 minutes'`,
  );
  expect(await countOf()).toBe(1);
  await world.recordAll([part!]);
  expect(await countOf()).toBe(0);
});
