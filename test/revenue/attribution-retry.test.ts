import { lockLimit } from '@service/database';
import { expect, test } from 'vitest';
import { createAttributionWorld, factOf, neighbourOf, secondsAfter } from './attribution-world.ts';

test('a registration within five minutes after an unattributed purchase gets its credit', async () => {
  await using world = await createAttributionWorld();
  const occurredAt = secondsAfter(new Date(), -60);
  const [purchase, refund] = [
    factOf('purchase', { occurredAt }),
    factOf('refund', { occurredAt: new Date(), amountMinor: -400 }),
  ];
  const [id, refundId] = await world.recordAll([purchase, { ...refund, paymentKeys: purchase.paymentKeys }]);
  expect((await world.event(id!)).credit.reason).toBe('no_match');
  await world.work(secondsAfter(new Date(), 3));
  expect((await world.event(id!)).credit.level).toBe('unattributed');
  const registrationId = await world.register('ada@example.com');
  await world.work(secondsAfter(new Date(), 60));
  expect((await world.event(id!)).credit).toMatchObject({ level: 'registered', registrationId });
  expect((await world.event(refundId!)).credit).toMatchObject({ level: 'registered', registrationId });
});

test('a try without a credit does not lock the ledger, so the intake does not wait for it', async () => {
  await using world = await createAttributionWorld();
  const { database } = world.service.db;
  await world.record('purchase', { occurredAt: new Date() });
  const nextTry = async () => {
    const { rows } = await database.pool.query('select tries, next_at from revenue.credit_retry');
    return rows[0];
  };
  const { next_at } = await nextTry();
  await database.ofAccount(world.accountId).transaction(async (opened) => {
    await lockLimit({ query: opened.query, accountId: world.accountId }, 'revenue ledger');
    await world.work(next_at);
    expect(await nextTry()).toMatchObject({ tries: 1 });
  });
});

test('a registration more than five minutes after the purchase changes nothing', async () => {
  await using world = await createAttributionWorld();
  const id = await world.record('purchase', { occurredAt: secondsAfter(new Date(), -301) });
  await world.register('ada@example.com');
  await world.work(secondsAfter(new Date(), 600));
  expect((await world.event(id)).credit).toMatchObject({ level: 'unattributed', reason: 'no_match' });
});

test('tries have growing waits and end five and a half minutes after the purchase', async () => {
  await using world = await createAttributionWorld();
  const { pool } = world.service.db.database;
  await world.record('purchase', { occurredAt: new Date() });
  await world.record('purchase', { occurredAt: secondsAfter(new Date(), -600) });
  await world.record('purchase', { email: null });
  const due = async () => (await pool.query('select * from revenue.credit_retry order by next_at')).rows;
  expect(await due()).toHaveLength(1);
  let tries = 0;
  for (let [next] = await due(); next; [next] = await due()) {
    await world.work(next.next_at);
    tries += 1;
  }
  expect(tries).toBeGreaterThan(4);
  expect(tries).toBeLessThan(12);
});

test('many workers at once credit a purchase once', async () => {
  await using world = await createAttributionWorld();
  const rule = await world.rule('http://127.0.0.1:9/', { trigger: { type: 'purchase', params: {} } });
  await world.record('purchase', { occurredAt: secondsAfter(new Date(), -60) });
  await world.register('ada@example.com');
  const later = secondsAfter(new Date(), 60);
  await Promise.all([1, 2, 3].map(() => world.work(later)));
  const { json } = await world.call(`GET /automations/${rule.id}/executions`);
  expect(json.data).toHaveLength(1);
});

test('an account with thousands of due retries delays those of no other account', async () => {
  await using world = await createAttributionWorld();
  const busy = await neighbourOf(world);
  await world.service.db.database.pool.query(
    `insert into revenue.credit_retry (account_id, payment_id, next_at, until)
     select $1, gen_random_uuid(), now() - interval '1 hour', now() + interval '1 hour' from generate_series(1, 6000)`,
    [busy.accountId],
  );
  const id = await world.record('purchase', { occurredAt: secondsAfter(new Date(), -60) });
  await world.register('ada@example.com');
  await world.work(secondsAfter(new Date(), 60));
  expect((await world.event(id)).credit.level).toBe('registered');
});

test('a purchase that a longer window credits fires no rule, also while it is still tried again', async () => {
  await using world = await createAttributionWorld();
  const rule = await world.rule('http://127.0.0.1:9/', { trigger: { type: 'purchase', params: {} } });
  await world.age(await world.register('ada@example.com'), 40);
  const id = await world.record('purchase');
  await world.owner.mutate('revenueWindow.change', { windowDays: 60 });
  await world.work(secondsAfter(new Date(), 60));
  await world.finishRuns();
  await world.work(secondsAfter(new Date(), 120));
  expect((await world.event(id)).credit.level).toBe('registered');
  const { json } = await world.call(`GET /automations/${rule.id}/executions`);
  expect(json.data).toEqual([]);
});
