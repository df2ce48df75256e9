// A refund that names no payment is paired by e-mail address, currency, amount and time.
import { expect, test } from 'vitest';
import { expectCases, type Case } from './ledger-cases.ts';
import { expectSums, pairsOf, statesOf } from './ledger-reads.ts';
import { at, createLedgerWorld, purchase, refund, reversal } from './ledger-world.ts';

const cases: Case[] = [
  {
    what: 'a refund without a name, inferred from e-mail address, currency and amount',
    facts: [purchase('p1'), refund('r1', { occurredAt: at(60) })],
    states: { p1: 'refunded 1000/0' },
    pairs: { r1: 'inferred p1' },
  },
  {
    what: 'an inferred refund of a larger amount than any purchase',
    facts: [purchase('p1'), refund('r1', { occurredAt: at(60), amountMinor: -1001 })],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'an inferred refund before the purchase',
    facts: [purchase('p1', { occurredAt: at(60) }), refund('r1', { occurredAt: at(59) })],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'an inferred refund at the second of the purchase',
    facts: [purchase('p1', { occurredAt: at(60) }), refund('r1', { occurredAt: at(60) })],
    states: { p1: 'refunded 1000/0' },
    pairs: { r1: 'inferred p1' },
  },
  {
    what: 'an inferred refund of a currency that was not paid in',
    facts: [purchase('p1'), refund('r1', { occurredAt: at(60), currency: 'JPY' })],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'an inferred refund after a purchase at another provider',
    facts: [purchase('p1', { provider: 'stripe' }), refund('r1', { occurredAt: at(60) })],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'two purchases of the same amount, with a refund of the newest',
    facts: [purchase('p1'), purchase('p2', { occurredAt: at(10) }), refund('r1', { occurredAt: at(60) })],
    states: { p1: 'paid 0/0', p2: 'refunded 1000/0' },
    pairs: { r1: 'inferred p2' },
  },
  {
    what: 'two purchases of the same amount and second, with one refund',
    facts: [purchase('p1'), purchase('p2'), refund('r1', { occurredAt: at(60) })],
    states: { p1: 'paid 0/0', p2: 'refunded 1000/0' },
    pairs: { r1: 'inferred p2' },
  },
  {
    what: 'a second refund, which takes the purchase that has enough left',
    facts: [
      purchase('p1'),
      purchase('p2', { occurredAt: at(10) }),
      refund('r1', { occurredAt: at(60) }),
      refund('r2', { occurredAt: at(70) }),
    ],
    states: { p1: 'refunded 1000/0', p2: 'refunded 1000/0' },
    pairs: { r1: 'inferred p2', r2: 'inferred p1' },
  },
  {
    what: 'an inferred refund beside a named one of the newest purchase',
    facts: [
      purchase('p1'),
      purchase('p2', { occurredAt: at(10) }),
      refund('r1', { occurredAt: at(60) }),
      refund('r2', { occurredAt: at(70), paymentKeys: ['p2'] }),
    ],
    states: { p1: 'refunded 1000/0', p2: 'refunded 1000/0' },
    pairs: { r1: 'inferred p1', r2: 'transaction p2' },
  },
  {
    what: 'an inferred refund that failed and leaves its purchase to the next one',
    facts: [
      purchase('p1'),
      refund('r1', { occurredAt: at(60) }),
      reversal(refund('r1', { occurredAt: at(60) })),
      refund('r2', { occurredAt: at(70) }),
    ],
    states: { p1: 'refunded 1000/0' },
    pairs: { r1: 'inferred p1', 'r1 reversed': 'inferred p1', r2: 'inferred p1' },
  },
  {
    what: 'a refund that names a purchase that has not arrived, which takes nothing from another one',
    facts: [purchase('p1'), refund('r1', { occurredAt: at(60), paymentKeys: ['p2', 'r1'] })],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'a refund that names a purchase with the same id as its own, which has not arrived',
    facts: [purchase('p1'), refund('r1', { occurredAt: at(60), paymentKeys: ['r1', 'r1'] })],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'a refund in another currency than the purchase that it names, beside one in its currency',
    facts: [
      purchase('p1', { currency: 'USD' }),
      purchase('p2'),
      refund('r1', { occurredAt: at(60), currency: 'USD', paymentKeys: ['p2', 'r1'] }),
    ],
    states: { p1: 'paid 0/0', p2: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'a refund whose only name is its own id',
    facts: [purchase('p1'), refund('r1', { occurredAt: at(60), paymentKeys: ['r1'] })],
    states: { p1: 'refunded 1000/0' },
    pairs: { r1: 'inferred p1' },
  },
  {
    what: 'yen and dinars, in their own minor units',
    facts: [
      purchase('p1', { currency: 'JPY', amountMinor: 1 }),
      purchase('p2', { currency: 'KWD', amountMinor: 1001 }),
      refund('r1', { occurredAt: at(60), currency: 'KWD', amountMinor: -1 }),
    ],
    states: { p1: 'paid 0/0', p2: 'partially_refunded 1/0' },
    pairs: { r1: 'inferred p2' },
  },
];

test('refunds without a name are paired with the same payment in both orders of arrival', () =>
  expectCases(cases));

test('an inferred refund moves to a purchase that arrives later and is nearer to it', async () => {
  await using world = await createLedgerWorld();
  await world.recordEach([purchase('p1'), refund('r1', { occurredAt: at(60) })]);
  expect(await pairsOf(world)).toEqual({ r1: 'inferred p1' });
  await world.recordEach([purchase('p2', { occurredAt: at(50) })]);
  expect(await pairsOf(world)).toEqual({ r1: 'inferred p2' });
  expect(await statesOf(world)).toEqual({ p1: 'paid 0/0', p2: 'refunded 1000/0' });
  await world.recordEach([refund('r0', { occurredAt: at(55) })]);
  expect(await pairsOf(world)).toEqual({ r0: 'inferred p2', r1: 'inferred p1' });
  await expectSums(world);
});
