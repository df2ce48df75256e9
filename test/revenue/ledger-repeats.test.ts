// A payment is in the ledger once, however often and in how many ways the provider describes it.
import { expect, test } from 'vitest';
import { clearLedger, expectSums, pairsOf, readLedger, statesOf } from './ledger-reads.ts';
import { at, chargeback, createLedgerWorld, purchase, refund } from './ledger-world.ts';

const stripe = { provider: 'stripe', email: null, clickId: null };
const checkout = purchase('cs_1', {
  ...stripe,
  eventId: 'evt_1',
  email: 'ada@example.com',
  paymentKeys: ['pi_1', 'cs_1'],
  occurredAt: at(3),
});
const intent = purchase('pi_1', {
  ...stripe,
  eventId: 'evt_2',
  paymentKeys: ['pi_1', 'ch_1'],
  occurredAt: at(2),
});
const charge = purchase('ch_1', { ...stripe, eventId: 'evt_3', paymentKeys: ['ch_1'], occurredAt: at(1) });

const orders = [
  [checkout, intent, charge],
  [intent, charge, checkout],
  [charge, intent, checkout],
  // The last one shows that the first two are one payment.
  [checkout, charge, intent],
  [charge, checkout, intent],
];

test('three descriptions of one payment are one purchase with the facts of all, in every order', async () => {
  await using world = await createLedgerWorld();
  const [registrationId] = await world.registerAll('ada');
  for (const order of orders) {
    await clearLedger(world);
    await world.recordEach(order);
    await world.recordEach([chargeback('dp_1', { ...stripe, paymentKeys: ['ch_1'], occurredAt: at(60) })]);
    const { payments } = await readLedger(world);
    expect(payments).toMatchObject([
      {
        name: 'ch_1',
        email: 'ada@example.com',
        amount_minor: '1000',
        state: 'charged_back',
        occurred_at: at(1),
        level: 'registered',
        registration_id: registrationId,
      },
    ]);
    expect(await pairsOf(world)).toEqual({ dp_1: 'transaction ch_1' });
    const [gross] = await world.query(
      `select sum(gross_minor)::int as gross, sum(purchases)::int as purchases from revenue.total
       where dimension = 'source' and webinar_id = '00000000-0000-0000-0000-000000000000'`,
    );
    expect(gross).toEqual({ gross: 1000, purchases: 1 });
    await expectSums(world);
  }
});

test('descriptions that arrive together are one purchase, also when only the last names both', async () => {
  await using world = await createLedgerWorld();
  const recorded = await world.record([checkout, charge, intent]);
  expect(recorded.map(({ isNew }) => isNew)).toEqual([true, false, false]);
  expect(new Set(recorded.map(({ id }) => id)).size).toBe(1);
  expect(await statesOf(world)).toEqual({ ch_1: 'paid 0/0' });
});

test('two payments that turn out to be one have one purchase less, and what was paired with each stays paired', async () => {
  await using world = await createLedgerWorld();
  await world.recordEach([
    checkout,
    charge,
    refund('re_1', { ...stripe, amountMinor: -300, paymentKeys: ['pi_1'] }),
    refund('re_2', { ...stripe, amountMinor: -200, paymentKeys: ['ch_1'] }),
  ]);
  expect(await statesOf(world)).toEqual({
    cs_1: 'partially_refunded 300/0',
    ch_1: 'partially_refunded 200/0',
  });
  await world.recordEach([intent]);
  expect(await statesOf(world)).toEqual({ ch_1: 'partially_refunded 500/0' });
  const rows = await world.query(
    'select type, object_id, amount_minor from revenue.revenue_event order by id',
  );
  expect(rows.map(({ type, object_id, amount_minor }) => `${type} ${object_id} ${amount_minor}`)).toEqual([
    'purchase cs_1 1000',
    'purchase ch_1 1000',
    'refund re_1 -300',
    'refund re_2 -200',
    'purchase_reversal ch_1 -1000',
  ]);
  await expectSums(world);
  // Every description is still known.
  for (const fact of [checkout, charge, intent])
    expect(await world.record([fact])).toMatchObject([{ isNew: false }]);
  await expectSums(world);
});

test('a fact that repeats an event or an object is not recorded again', async () => {
  await using world = await createLedgerWorld();
  const dispute = chargeback('dp_1', { ...stripe, eventId: 'evt_4', paymentKeys: ['ch_1'] });
  await world.recordEach([charge, dispute]);
  const [first, second] = await world.record([charge, dispute]);
  expect([first, second]).toMatchObject([{ isNew: false }, { isNew: false }]);
  const again = await world.record([
    { ...charge, eventId: 'evt_5' },
    { ...dispute, eventId: 'evt_6', amountMinor: -1 },
  ]);
  expect(again).toEqual([first, second]);
  expect(await statesOf(world)).toEqual({ ch_1: 'charged_back 0/1000' });
  const inOneCall = refund('r1');
  const [one, other] = await world.record([inOneCall, inOneCall]);
  expect([one, other]).toEqual([
    { id: one!.id, isNew: true },
    { id: one!.id, isNew: false },
  ]);
  await expectSums(world);
});

test('an event id with other content is the event that was recorded first, and with another type another event', async () => {
  await using world = await createLedgerWorld();
  const [first] = await world.record([purchase('p1')]);
  const [second] = await world.record([purchase('p1', { amountMinor: 5 })]);
  expect(second).toEqual({ id: first!.id, isNew: false });
  const [other] = await world.record([refund('p1', { amountMinor: -5, occurredAt: at(60) })]);
  expect(other).toMatchObject({ isNew: true });
  expect(await statesOf(world)).toEqual({ p1: 'partially_refunded 5/0' });
});

test('the same event ids of two accounts are two events', async () => {
  await using world = await createLedgerWorld();
  const of = '01a203bd-3120-7614-877b-e10a217a44e3';
  const [mine] = await world.record([purchase('p1')]);
  const [theirs] = await world.record([purchase('p1')], { of });
  expect(theirs).toMatchObject({ isNew: true });
  expect(theirs!.id).not.toBe(mine!.id);
  // The refund of one account finds no purchase of the other one.
  await world.query('delete from revenue.event_key where account_id = $1', [of]);
  await world.query('update revenue.payment set email = null where account_id = $1', [of]);
  await world.record([refund('r1', { paymentKeys: ['p1'], occurredAt: at(60) })], { of });
  expect(await statesOf(world)).toEqual({ p1: 'paid 0/0' });
  const [credit] = await world.query(
    `select pairing from revenue.credit where account_id = $1 and pairing <> 'own'`,
    [of],
  );
  expect(credit).toEqual({ pairing: 'unpaired' });
});

test('recording the same purchases at once over two connections makes each payment once', async () => {
  await using world = await createLedgerWorld();
  const reports = Array.from({ length: 20 }, (_, index) => [
    { ...checkout, eventId: `a${index}`, objectId: `cs_${index}`, paymentKeys: [`pi_${index}`] },
    { ...intent, eventId: `b${index}`, objectId: `pi_${index}`, paymentKeys: [`pi_${index}`] },
  ]);
  const recorded = await Promise.all(
    reports.flatMap(([one, other]) => [
      world.record([one!, other!]),
      world.record([other!, one!], { database: world.second }),
    ]),
  );
  expect(recorded.flat().filter(({ isNew }) => isNew)).toHaveLength(20);
  expect(Object.keys(await statesOf(world))).toHaveLength(20);
  await expectSums(world);
});

test('a description that names another registration moves the purchase there, and the fact that its attendee has bought', async () => {
  await using world = await createLedgerWorld();
  const [ada, bob] = await world.registerAll('ada', 'bob');
  const buyers = async () => {
    const rows = await world.query(`select id from attendees.registration where purchased`);
    return rows.map(({ id }) => id);
  };
  await world.recordEach([{ ...charge, email: 'bob@example.com' }]);
  expect(await buyers()).toEqual([bob]);
  await world.recordEach([intent, { ...checkout, registrationId: ada! }]);
  expect(await buyers()).toEqual([ada]);
  await expectSums(world);
});
