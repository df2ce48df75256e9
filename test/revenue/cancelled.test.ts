import { lockLimit } from '@service/database';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { countWaiting } from '../support/lock-rows.ts';
import { purchase, test } from './sender.ts';

test('events whose statement takes too long are answered 503, are not stored, and can be repeated', async ({
  shop,
}) => {
  const { accountId } = shop.account;
  const { pool, begin } = shop.service.db.database;
  const other = await begin();
  await lockLimit({ query: other.query, accountId }, 'revenue ledger');
  /** As Postgres itself does at the statement timeout. */
  const cancel = () =>
    pool.query(`
      select pg_cancel_backend(pid) from pg_stat_activity
      where datname = current_database() and wait_event_type = 'Lock'`);
  const isWaiting = async () => (await countWaiting(pool, '%pg_advisory_xact_lock%')) === 1;

  const events = [purchase(), purchase(), purchase()];
  const first = shop.send(events[0]!);
  await eventually('the first event waits', isWaiting);
  const later = Promise.all(events.slice(1).map((event) => shop.send(event)));
  let isAnswered = false;
  const answered = Promise.all([first, later]).then(([one, others]) => {
    isAnswered = true;
    return [one, ...others];
  });
  await eventually('all are answered', async () => {
    await cancel();
    return isAnswered;
  });
  for (const { status, headers } of await answered) {
    expect(status).toBe(503);
    expect(headers.get('retry-after')).toBe('1');
  }
  expect(await shop.ledger()).toEqual([]);

  await other.rollback();
  const again = await Promise.all(events.map((event) => shop.send(event)));
  expect(again.map(({ status }) => status)).toEqual([202, 202, 202]);
});
