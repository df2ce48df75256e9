import { expect, test } from 'vitest';
import type { Check } from '../drill.ts';
import { judgeAnswers, judgeLedger, judgeOutage, judgeSums, type LedgerRow } from './judge.ts';
import { createOrder } from './orders.ts';
import type { Sending } from './providers.ts';

const order = createOrder('0123abcd', 2);
const acknowledged = new Set(order.webhooks.map(({ eventId }) => eventId));
const sent = { orders: [order], acknowledged };

const rowsOf = (): LedgerRow[] =>
  order.rows.map((text) => {
    const [type, amount] = text.split(' ') as [string, string];
    const names = [`${type}_${order.id}`, `${type}_${order.id}`];
    return { names, type, amount, currency: order.currency, state: order.state, hasCredit: true };
  });
const totals = ['level', 'source'].map((dimension) => ({
  dimension,
  currency: order.currency,
  gross: '1010',
  refunds: '-1010',
  chargebacks: '0',
}));

const recordsOf = (rows: LedgerRow[]) => ({ rows, totals, repeats: 0 });

const failed = (checks: readonly Check[]): string[] =>
  checks.filter(({ passed }) => !passed).map(({ claim }) => claim);

const sending = (differs: Partial<Sending> = {}): Sending => ({
  eventId: 'one',
  at: 10,
  endedAt: 20,
  status: 202,
  hasRetryAfter: false,
  wasCut: false,
  ...differs,
});

test('the order of this test is a refunded purchase', () => {
  expect([order.fate, ...order.rows]).toEqual(['refunded', 'purchase 1010', 'refund -1010']);
});

test('a ledger with all rows of all orders passes', () => {
  expect(
    failed([...judgeLedger(sent, recordsOf(rowsOf())), ...judgeSums({ rows: rowsOf(), totals })]),
  ).toEqual([]);
});

const once = 'the ledger has each purchase, refund and dispute once';

test.each<[string, LedgerRow[], string]>([
  ['a row is missing', rowsOf().slice(1), once],
  ['a row is there twice', [...rowsOf(), rowsOf()[0]!], once],
  ['an amount differs', rowsOf().map((row) => ({ ...row, amount: '1' })), once],
  [
    'a row is of no order',
    [...rowsOf(), { ...rowsOf()[0]!, names: ['purchase_0123abcd_9'] }],
    'the ledger has nothing else',
  ],
  [
    'a refund has not found its purchase',
    rowsOf().map((row, index) => (index === 1 ? { ...row, state: null } : row)),
    'each payment has its state, and everything paired with it',
  ],
])('%s', (_what, rows, claim) => {
  expect(failed(judgeLedger(sent, recordsOf(rows)))).toEqual([claim]);
});

test('an event that was never acknowledged fails', () => {
  expect(failed(judgeLedger({ orders: [order], acknowledged: new Set() }, recordsOf(rowsOf())))).toEqual([
    'the providers get every event acknowledged in the end',
  ]);
});

test('a Stripe payment without its second event fails', () => {
  const stripe = createOrder('0123abcd', 1);
  const records = { rows: [], totals, repeats: 0 };
  expect(failed(judgeLedger({ orders: [stripe], acknowledged: new Set() }, records))).toContain(
    'the second event about each Stripe payment is recorded, and adds no purchase',
  );
});

test('sums that differ from the ledger fail, also by one minor unit and by a currency too many', () => {
  const claim = 'the sums by currency are those of the ledger';
  const judged = (sums: typeof totals) => failed(judgeSums({ rows: rowsOf(), totals: sums }));
  expect(judged([totals[0]!, { ...totals[1]!, refunds: '-1009' }])).toEqual([claim]);
  expect(judged([...totals, { ...totals[0]!, currency: 'XXX' }])).toEqual([claim]);
  expect(judged([])).toEqual([claim]);
});

test('a row without a credit fails', () => {
  const rows = rowsOf().map((row) => ({ ...row, hasCredit: false }));
  expect(failed(judgeSums({ rows, totals }))).toEqual(['each row has a credit']);
});

test('an event that is accepted as new again was lost in between', () => {
  const claim = 'no event was accepted as new twice, so none was lost after its acknowledgement';
  expect(failed(judgeAnswers([sending(), sending({ status: 200 })]))).toEqual([]);
  expect(failed(judgeAnswers([sending(), sending()]))).toEqual([claim]);
  expect(failed(judgeAnswers([sending(), sending({ status: 422 })]))).toEqual(['no event was refused']);
});

test('without a database only 503 with Retry-After passes, and requests of other times do not count', () => {
  const outage = { from: 5, to: 30 };
  const claim = 'without a database the door answers 503 with Retry-After';
  const postponed = sending({ status: 503, hasRetryAfter: true });
  expect(failed(judgeOutage([postponed, sending({ at: 1 }), sending({ endedAt: 31 })], outage))).toEqual([]);
  expect(failed(judgeOutage([postponed, sending({ status: 503 })], outage))).toEqual([claim]);
  expect(failed(judgeOutage([postponed, sending()], outage))).toEqual([claim]);
  expect(failed(judgeOutage([], outage))).toEqual([claim]);
});
