import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type AccountDatabase } from '@service/database';
import { errorOf } from '@service/trpc';
import { expect } from 'vitest';
import { test } from '../support/database-test.ts';

test('a connection that is cut in a transaction gives its place in the pool back', async ({ db }) => {
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

test('work for after the commit does not run when the transaction is rolled back', async ({ db }) => {
  const happened: string[] = [];
  await db.database.transaction(async (tx) => tx.afterCommit(() => void happened.push('committed')));
  const failed = db.database.transaction(async (tx) => {
    tx.afterCommit(() => void happened.push('rolled back'));
    throw new Error('no');
  });
  await expect(failed).rejects.toThrow('no');
  expect(happened).toEqual(['committed']);
});

test('many writes of one commit are all made, in their order, or none when one fails', async ({ db }) => {
  const { database } = db;
  await database.query({ text: 'create table public.written (n integer)' }, []);
  const insert = {
    text: 'insert into public.written select $1::integer where 1 / (20 - $1::integer) is not null',
  };
  const write = (count: number) =>
    database.transaction(async (tx) => {
      for (let n = 0; n < count; n += 1) tx.defer(insert, [n]);
    });
  await expect(write(30)).rejects.toThrow('division by zero');
  expect(await database.query({ text: 'select * from public.written' }, [])).toEqual([]);
  await write(20);
  const rows = await database.query<{ n: number }>({ text: 'select n from public.written' }, []);
  expect(rows.map(({ n }) => n)).toEqual(Array.from({ length: 20 }, (_unused, n) => n));
});

test('a transaction resolves after the work that runs after its commit', async ({ db }) => {
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

test('a lost connection fails a transaction for certain before its commit, and with an unknown result during it', async ({
  db,
}) => {
  const { database } = db;
  const cut = (pid: number) => database.pool.query('select pg_terminate_backend($1)', [pid]);
  const pidOf = async ({ query }: Pick<typeof database, 'query'>) =>
    (await query<{ pid: number }>({ text: 'select pg_backend_pid() as pid' }, []))[0]!.pid;

  const before = database.transaction(async (tx) => {
    await cut(await pidOf(tx));
    await tx.query({ text: 'select 1' }, []);
  });
  expect(errorOf(await before.catch((error: unknown) => error)).code).toBe('service_unavailable');

  // The last statement goes out with the commit, and ends its own connection.
  const during = database.transaction(async (tx) =>
    tx.defer({ text: 'select pg_terminate_backend(pg_backend_pid())' }, []),
  );
  const error = errorOf(await during.catch((thrown: unknown) => thrown));
  expect([error.code, error.retryAfterSeconds]).toEqual(['outcome_unknown', 1]);
});

test('a query after the end of its transaction reaches no connection', async ({ db }) => {
  const statement = { text: 'select 1' };
  const ended = await db.database.begin();
  await ended.rollback();
  await expect(ended.query(statement, [])).rejects.toThrow('The transaction has ended.');
  await expect(ended.em.execute('select 1')).rejects.toThrow('The transaction has ended.');
});

test('connections of both pools find partitions by their bounds only', async ({ db }) => {
  const show = { text: 'show constraint_exclusion' };
  const inTransaction = await db.database.transaction((tx) => tx.query(show, []));
  expect([await db.database.query(show, []), inTransaction]).toEqual([
    [{ constraint_exclusion: 'off' }],
    [{ constraint_exclusion: 'off' }],
  ]);
});

/** A statement alone and one in a transaction, at the same time. */
const sleep = (account: AccountDatabase, seconds: number) => {
  const statement = { text: 'select pg_sleep($1)' };
  const inTransaction = account.transaction(async (tx) => tx.query(statement, [seconds]));
  return Promise.all([inTransaction, account.query(statement, [seconds])]);
};

test('an account rests after a long statement, and not because its process read an answer late', async ({
  db,
}) => {
  const connections = { waitMaxMs: 50, shareLimits: { burstMs: 100, heavyMs: 100 } };
  const database = await openDatabase({ url: db.url, entities: [], name: 'test', connections });
  try {
    const [other, late, long] = [0, 1, 2].map(() => database.ofAccount(randomUUID()));
    // An account that is alone never rests.
    await sleep(other!, 0.1);
    await sleep(late!, 0);
    const answered = sleep(late!, 0.05);
    await delay(5);
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 400);
    await answered;
    (await late!.beginCall())();
    await sleep(long!, 0.4);
    await expect(long!.beginCall()).rejects.toThrow('busy');
  } finally {
    await database.close();
  }
});
