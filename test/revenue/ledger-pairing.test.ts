// Refunds, chargebacks and their reversals are paired with the payment that they name.
import { accountWriter, type AccountWriter, type Query } from '@service/database';
import { recordFacts } from '@service/revenue';
import { expect, test } from 'vitest';
import { expectCases, type Case } from './ledger-cases.ts';
import { expectSums, pairsOf } from './ledger-reads.ts';
import { at, chargeback, createLedgerWorld, purchase, refund, reversal } from './ledger-world.ts';

const stripe = { provider: 'stripe', email: null };
const full = refund('r1', { occurredAt: at(60), paymentKeys: ['p1'] });
const dispute = chargeback('d1', { occurredAt: at(60), paymentKeys: ['p1'] });

const named = { ...stripe, paymentKeys: ['ch_1'], occurredAt: at(60), isDifference: false };

const cases: Case[] = [
  { what: 'a purchase', facts: [purchase('p1')], states: { p1: 'paid 0/0' }, pairs: {} },
  {
    what: 'a full refund that names the purchase',
    facts: [purchase('p1'), full],
    states: { p1: 'refunded 1000/0' },
    pairs: { r1: 'transaction p1' },
  },
  {
    what: 'a partial refund',
    facts: [purchase('p1'), { ...full, amountMinor: -999 }],
    states: { p1: 'partially_refunded 999/0' },
    pairs: { r1: 'transaction p1' },
  },
  {
    what: 'partial refunds that are the whole amount together',
    facts: [
      purchase('p1'),
      { ...full, amountMinor: -400 },
      refund('r2', { amountMinor: -600, paymentKeys: ['p1'] }),
    ],
    states: { p1: 'refunded 1000/0' },
    pairs: { r1: 'transaction p1', r2: 'transaction p1' },
  },
  {
    what: 'more refunds than the amount, which are flagged and not clipped',
    facts: [purchase('p1'), full, refund('r2', { amountMinor: -1, paymentKeys: ['p1'] })],
    states: { p1: 'refunded 1001/0 over' },
    pairs: { r1: 'transaction p1', r2: 'transaction p1' },
  },
  {
    what: 'a refund that failed',
    facts: [purchase('p1'), full, reversal(full)],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'transaction p1', 'r1 reversed': 'transaction p1' },
  },
  {
    what: 'a chargeback, which wins over a refund',
    facts: [purchase('p1'), { ...full, amountMinor: -100 }, { ...dispute, amountMinor: -900 }],
    states: { p1: 'charged_back 100/900' },
    pairs: { r1: 'transaction p1', d1: 'transaction p1' },
  },
  {
    what: 'a chargeback after a full refund, which takes the amount twice',
    facts: [purchase('p1'), full, dispute],
    states: { p1: 'charged_back 1000/1000 over' },
    pairs: { r1: 'transaction p1', d1: 'transaction p1' },
  },
  {
    what: 'a dispute that was won',
    facts: [purchase('p1'), dispute, reversal(dispute)],
    states: { p1: 'paid 0/0' },
    pairs: { d1: 'transaction p1', 'd1 reversed': 'transaction p1' },
  },
  {
    what: 'a dispute that was won, beside a partial refund',
    facts: [purchase('p1'), { ...full, amountMinor: -100 }, dispute, reversal(dispute)],
    states: { p1: 'partially_refunded 100/0' },
    pairs: { r1: 'transaction p1', d1: 'transaction p1', 'd1 reversed': 'transaction p1' },
  },
  {
    what: 'one of two disputes that was won',
    facts: [purchase('p1'), dispute, reversal(dispute), chargeback('d2', { paymentKeys: ['p1'] })],
    states: { p1: 'charged_back 0/1000' },
    pairs: { d1: 'transaction p1', d2: 'transaction p1', 'd1 reversed': 'transaction p1' },
  },
  {
    what: 'a refund without a purchase',
    facts: [full],
    states: {},
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'a refund of a provider without its e-mail address, by the second of its names',
    facts: [
      purchase('cs_1', { ...stripe, paymentKeys: ['pi_1', 'ch_1'] }),
      refund('re_1', { ...stripe, paymentKeys: ['pi_0', 'ch_1'] }),
    ],
    states: { ch_1: 'refunded 1000/0' },
    pairs: { re_1: 'transaction ch_1' },
  },
  {
    what: 'a refund whose names are those of two purchases, by the first name',
    facts: [
      purchase('cs_1', { ...stripe, paymentKeys: ['pi_1'] }),
      purchase('cs_2', { ...stripe, paymentKeys: ['ch_2'] }),
      refund('re_1', { ...stripe, paymentKeys: ['pi_1', 'ch_2'] }),
    ],
    states: { cs_1: 'refunded 1000/0', ch_2: 'paid 0/0' },
    pairs: { re_1: 'transaction cs_1' },
  },
  {
    what: 'a name of another provider, which is not the same payment',
    facts: [purchase('p1', { email: null }), refund('r1', { ...stripe, paymentKeys: ['p1'] })],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'a refund in another currency, which is never added to the payment',
    facts: [purchase('p1'), { ...full, currency: 'USD' }],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'unpaired' },
  },
  {
    what: 'a reversal without its refund, which waits and counts nothing',
    facts: [purchase('p1'), reversal(full)],
    states: { p1: 'paid 0/0' },
    pairs: { 'r1 reversed': 'waiting' },
  },
  {
    what: 'a reversal of a larger amount than its refund, which gives back no more than the refund took',
    facts: [purchase('p1'), { ...full, amountMinor: -400 }, reversal(full)],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'transaction p1', 'r1 reversed': 'transaction p1' },
  },
  {
    what: 'a reversal in another currency than its dispute, which waits',
    facts: [purchase('p1'), dispute, { ...reversal(dispute), currency: 'USD' }],
    states: { p1: 'charged_back 0/1000' },
    pairs: { d1: 'transaction p1', 'd1 reversed': 'waiting' },
  },
  {
    what: 'a refund as a difference, which counts nothing when the refund itself is known',
    facts: [
      purchase('ch_1', stripe),
      refund('evt_1', { ...named, isDifference: true, amountMinor: -400 }),
      refund('re_1', { ...named, amountMinor: -400, occurredAt: at(50) }),
    ],
    states: { ch_1: 'partially_refunded 400/0' },
    pairs: { evt_1: 'transaction ch_1', re_1: 'transaction ch_1' },
  },
  {
    what: 'two differences and one refund of the same amount, which are two refunds',
    facts: [
      purchase('ch_1', stripe),
      refund('evt_1', { ...named, isDifference: true, amountMinor: -400 }),
      refund('evt_2', { ...named, isDifference: true, amountMinor: -400, occurredAt: at(90) }),
      refund('re_1', { ...named, amountMinor: -400, occurredAt: at(50) }),
    ],
    states: { ch_1: 'partially_refunded 800/0' },
    pairs: { evt_1: 'transaction ch_1', evt_2: 'transaction ch_1', re_1: 'transaction ch_1' },
  },
  {
    what: 'a refund that a difference reported, and its failure, which has the id of the refund',
    facts: [
      purchase('ch_1', stripe),
      refund('evt_1', { ...named, isDifference: true, amountMinor: -400 }),
      reversal(refund('re_1', { ...named, amountMinor: -400 })),
    ],
    states: { ch_1: 'paid 0/0' },
    pairs: { evt_1: 'transaction ch_1', 're_1 reversed': 'transaction ch_1' },
  },
  {
    what: 'a shared name, by the newest purchase that is not later',
    facts: [
      purchase('p1', { sharedKeys: ['sub'] }),
      purchase('p2', { sharedKeys: ['sub'], occurredAt: at(10) }),
      purchase('p3', { sharedKeys: ['sub'], occurredAt: at(90) }),
      refund('r1', { occurredAt: at(60), paymentKeys: ['sub'] }),
    ],
    states: { p1: 'paid 0/0', p2: 'refunded 1000/0', p3: 'paid 0/0' },
    pairs: { r1: 'transaction p2' },
  },
  {
    what: 'a purchase of 0 and a refund of 0',
    facts: [purchase('p1', { amountMinor: 0 }), { ...full, amountMinor: 0 }],
    states: { p1: 'paid 0/0' },
    pairs: { r1: 'transaction p1' },
  },
  {
    what: 'the largest amounts',
    facts: [
      purchase('p1', { amountMinor: 999_999_999_999 }),
      { ...full, amountMinor: -999_999_999_999 },
      { ...dispute, amountMinor: -999_999_999_999 },
    ],
    states: { p1: 'charged_back 999999999999/999999999999 over' },
    pairs: { r1: 'transaction p1', d1: 'transaction p1' },
  },
];

test('refunds and chargebacks are paired with the same payment in both orders of arrival', () =>
  expectCases(cases));

test('a refund waits unattributed until its purchase arrives, and then has the credit of the purchase', async () => {
  await using world = await createLedgerWorld();
  const [registrationId] = await world.registerAll('ada');
  const credits = () => world.query('select level, reason, registration_id from revenue.credit order by id');
  // Long after the window of the purchase.
  await world.recordEach([refund('r1', { occurredAt: at(90 * 86_400), paymentKeys: ['p1'] })]);
  expect(await credits()).toEqual([{ level: 'unattributed', reason: 'unpaired', registration_id: null }]);
  await world.recordEach([purchase('p1')]);
  const credited = { level: 'registered', reason: null, registration_id: registrationId };
  expect(await credits()).toEqual([credited, credited]);
  await expectSums(world);
});

test('a name of hundreds of purchases and refunds is read once, and pairs each refund', async () => {
  await using world = await createLedgerWorld();
  const { accountId, database, attribution } = world;
  const shared = Array.from({ length: 150 }, (_, index) => [
    purchase(`p${index}`, { sharedKeys: ['same'], email: null, occurredAt: at(2 * index) }),
    refund(`r${index}`, { paymentKeys: ['same'], email: null, occurredAt: at(2 * index + 1) }),
  ]).flat();
  await world.record(shared);
  let rowsRead = 0;
  await database.ofAccount(accountId).transaction((tx) => {
    const writer = accountWriter(tx, { accountId, now: new Date() });
    const query: Query = async (statement, values) => {
      const rows = await writer.query(statement, values);
      rowsRead += rows.length;
      return rows;
    };
    const counting = Object.create(writer, { query: { value: query } }) as AccountWriter;
    const last = purchase('last', { sharedKeys: ['same'], email: null, occurredAt: at(1000) });
    return recordFacts(counting, [last], attribution);
  });
  // 150 refunds, 150 payments and 150 owners of the name. Read for each refund, the owners alone were 22,500.
  expect(rowsRead).toBeLessThan(1000);
  expect(await pairsOf(world)).toMatchObject({ r0: 'transaction p0', r149: 'transaction p149' });
});
