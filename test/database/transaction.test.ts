import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';

test('connections that are cut in the middle of transactions give their places in the pool back', async () => {
  await using db = await testDatabase();
  for (let round = 0; round < 15; round += 1) {
    const cut = db.database.transaction(async ({ em }) => {
      const [row] = await em.execute<{ pid: number }[]>('select pg_backend_pid() as pid');
      await db.database.pool.query('select pg_terminate_backend($1)', [row!.pid]);
      await em.execute('select 1');
    });
    await expect(cut).rejects.toThrow();
  }
  const answer = await db.database.transaction(({ em }) => em.execute('select 1 as alive'));
  expect(answer).toEqual([{ alive: 1 }]);
});

test('what a transaction does after its commit does not happen when it is rolled back', async () => {
  await using db = await testDatabase();
  const happened: string[] = [];
  await db.database.transaction(async (tx) => tx.afterCommit(() => void happened.push('committed')));
  const failed = db.database.transaction(async (tx) => {
    tx.afterCommit(() => void happened.push('rolled back'));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(happened).toEqual(['committed']);
});

test('whoever waits for a commit waits for what is done after it', async () => {
  await using db = await testDatabase();
  const { promise, resolve } = Promise.withResolvers<void>();
  const order: string[] = [];
  const committed = db.database
    .transaction(async (tx) => tx.afterCommit(() => promise))
    .then(() => order.push('done'));
  await db.database.query({ text: 'select 1' }, []);
  order.push('after commit');
  resolve();
  await committed;
  expect(order).toEqual(['after commit', 'done']);
});
