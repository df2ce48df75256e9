// Descriptions of one payment that name different amounts: the kind of the object decides, in every order of arrival.
import type { RevenueFact } from '@service/revenue';
import { expect, test } from 'vitest';
import { clearLedger, expectSums, readLedger } from './ledger-reads.ts';
import { at, createLedgerWorld, purchase, refund, type LedgerWorld } from './ledger-world.ts';

const stripe = { provider: 'stripe', email: null };
const checkout = purchase('cs_1', {
  ...stripe,
  kind: 'checkout_session',
  eventId: 'evt_cs',
  email: 'ada@example.com',
  amountMinor: 900,
  currency: 'USD',
  paymentKeys: ['cs_1', 'in_1'],
  joinedKeys: ['cs_1', 'in_1'],
  // On another day than the others.
  occurredAt: at(86_399),
});
const invoice = purchase('in_1', {
  ...stripe,
  kind: 'invoice',
  eventId: 'evt_in',
  paymentKeys: ['in_1'],
  joinedKeys: ['in_1'],
  occurredAt: at(86_401),
});
const partOf = (number: number, amountMinor: number): RevenueFact =>
  purchase(`inpay_${number}`, {
    ...stripe,
    kind: 'invoice_payment',
    eventId: `evt_inpay_${number}`,
    amountMinor,
    paymentKeys: [`pi_${number}`, 'in_1'],
    joinedKeys: ['in_1'],
    occurredAt: at(86_402),
  });
const chargeOf = (number: number, amountMinor: number): RevenueFact =>
  purchase(`ch_${number}`, {
    ...stripe,
    kind: 'charge',
    eventId: `evt_ch_${number}`,
    amountMinor,
    paymentKeys: [`pi_${number}`, `ch_${number}`],
    occurredAt: at(86_400),
  });

/** Each fact first, with the others in the order of time after it, and all backwards. ledger-property.test.ts tries others. */
const ordersOf = (facts: readonly RevenueFact[]): RevenueFact[][] => [
  ...facts.map((first) => [first, ...facts.filter((fact) => fact !== first)]),
  facts.toReversed(),
];

async function seenOf(world: LedgerWorld) {
  await expectSums(world);
  const { payments } = await readLedger(world);
  const totals = await world.query(
    `select day::text, currency, gross_minor::int as gross, refunds_minor::int as refunds, purchases::int from revenue.total
     where dimension = 'source' and webinar_id = '00000000-0000-0000-0000-000000000000'
       and (gross_minor <> 0 or purchases <> 0 or refunds_minor <> 0) order by day, currency`,
  );
  return {
    payments: payments.map(
      ({ name, amount_minor, currency, state, email }) =>
        `${name} ${amount_minor} ${currency} ${state} ${email}`,
    ),
    totals: totals.map(({ day, currency, gross, refunds, purchases }) => [
      day,
      currency,
      gross,
      refunds,
      purchases,
    ]),
  };
}

/** The result of each order, which must be the same. */
async function expectSameResult(
  world: LedgerWorld,
  facts: readonly RevenueFact[],
  expected: unknown,
): Promise<void> {
  for (const order of ordersOf(facts)) {
    await clearLedger(world);
    await world.recordEach(order);
    expect(await seenOf(world), order.map(({ objectId }) => objectId).join(' ')).toEqual(expected);
  }
  await clearLedger(world);
  await world.record(facts);
  expect(await seenOf(world), 'at once').toEqual(expected);
}

const day = '2027-03-02';

test('an invoice of 1000 that was paid as 600 and 400 is two purchases, whichever comes first, each with what the invoice and the session know', async () => {
  await using world = await createLedgerWorld();
  const facts = [checkout, invoice, partOf(1, 601), chargeOf(1, 600), partOf(2, 400)];
  await expectSameResult(world, facts, {
    payments: ['ch_1 600 EUR paid ada@example.com', 'inpay_2 400 EUR paid ada@example.com'],
    totals: [[day, 'EUR', 1000, 0, 2]],
  });
});

test('a session in another currency than its charge gives way to it, and so does a refund that was paired in the wrong currency', async () => {
  await using world = await createLedgerWorld();
  const session: RevenueFact = { ...checkout, paymentKeys: ['cs_1', 'pi_1'], joinedKeys: ['cs_1'] };
  const refunds = [
    refund('re_1', { ...stripe, amountMinor: -100, paymentKeys: ['pi_1'], occurredAt: at(86_400) }),
    refund('re_2', {
      ...stripe,
      amountMinor: -50,
      currency: 'USD',
      paymentKeys: ['pi_1'],
      occurredAt: at(86_400),
    }),
  ];
  await expectSameResult(world, [session, chargeOf(1, 1000), ...refunds], {
    payments: ['ch_1 1000 EUR partially_refunded ada@example.com'],
    totals: [
      [day, 'EUR', 1000, 0, 1],
      ['2027-03-03', 'EUR', 0, -100, 0],
      ['2027-03-03', 'USD', 0, -50, 0],
    ],
  });
});

test('a corrected amount is a reversal and a new purchase, and no earlier row changes', async () => {
  await using world = await createLedgerWorld();
  await world.recordEach([invoice, partOf(1, 600)]);
  const rows = () =>
    world.query('select type, amount_minor::int as amount from revenue.revenue_event order by id');
  expect(await rows()).toEqual([
    { type: 'purchase', amount: 1000 },
    { type: 'purchase_reversal', amount: -1000 },
    { type: 'purchase', amount: 600 },
  ]);
  await world.recordEach([partOf(2, 400), { ...chargeOf(2, 400), eventId: 'evt_again' }]);
  expect((await rows()).slice(3)).toEqual([{ type: 'purchase', amount: 400 }]);
  await expectSums(world);
});
