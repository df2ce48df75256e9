import { createKeyAdmission } from '@service/keys';
import pg from 'pg';
import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

test('requests of other accounts go on while the window of one is locked, and its own go on after', async () => {
  await using service = await testApi();
  const locked = await createTestAccount(service);
  const { key: lockedKey } = await createTestKey(service, locked.accountId);
  const { key } = await createTestKey(service, (await createTestAccount(service)).accountId);
  // Both have their row.
  for (const each of [lockedKey, key]) {
    expect((await callRest(service, 'GET /me', { key: each })).status).toBe(200);
  }
  const locker = new pg.Client({ connectionString: service.db.url });
  await locker.connect();
  try {
    await locker.query('begin');
    await locker.query('select from keys.rate_window where account_id = $1 for update', [locked.accountId]);
    let waiting = 8;
    const blocked = Array.from({ length: waiting }, async () => {
      const { status } = await callRest(service, 'GET /me', { key: lockedKey });
      waiting -= 1;
      return status;
    });
    const others: number[] = [];
    for (let call = 0; call < 20; call += 1) {
      others.push((await callRest(service, 'GET /me', { key })).status);
    }
    expect(others).toEqual(Array.from({ length: 20 }, () => 200));
    expect(waiting).toBe(8);
    await locker.query('rollback');
    expect(await Promise.all(blocked)).toEqual(Array.from({ length: 8 }, () => 200));
  } finally {
    await locker.end();
  }
});

test('while a window is locked on and off, four processes admit exactly its limit and fail no request', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  const limit = { requests: 100, windowSeconds: 1_000_000 };
  await using stack = new AsyncDisposableStack();
  const checks = Array.from({ length: 4 }, () => {
    const pool = stack.adopt(new pg.Pool({ connectionString: service.db.url, max: 3 }), (one) => one.end());
    return createKeyAdmission(pool, limit);
  });
  const locker = stack.adopt(new pg.Client({ connectionString: service.db.url }), (one) => one.end());
  await locker.connect();
  const ask = (index: number) =>
    checks[index % 4]!({ authorization: `Bearer ${key}`, surface: 'rest', scopes: [] });
  const places: (number | undefined)[] = [];
  for (let round = 0; round < 5; round += 1) {
    const asked = Array.from({ length: 20 }, (_, index) => ask(index));
    await locker.query('begin');
    await locker.query('select from keys.rate_window where account_id = $1 for update', [accountId]);
    asked.push(...Array.from({ length: 10 }, (_, index) => ask(index)));
    // Longer than a statement waits for the lock, so those under way are refused and asked again.
    await locker.query('select pg_sleep(0.3)');
    await locker.query('commit');
    for (const admission of await Promise.all(asked)) {
      places.push(admission!.rate.retryAfterSeconds === undefined ? admission!.rate.remaining : undefined);
    }
  }
  const admitted = places.filter((place) => place !== undefined);
  expect([places.length, admitted.length]).toEqual([150, 100]);
  expect(new Set(admitted).size).toBe(100);
});

test('a request is asked again when Postgres cancels its wait for a locked window', async () => {
  await using service = await testApi();
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  expect((await callRest(service, 'GET /me', { key })).status).toBe(200);
  await using stack = new AsyncDisposableStack();
  const clients = [1, 2].map(() =>
    stack.adopt(new pg.Client({ connectionString: service.db.url }), (one) => one.end()),
  );
  await Promise.all(clients.map((client) => client.connect()));
  const [locker, canceller] = clients;
  await locker!.query('begin');
  await locker!.query('select from keys.rate_window where account_id = $1 for update', [accountId]);
  const asked = callRest(service, 'GET /me', { key });
  await eventually('the wait to be cancelled', async () => {
    const { rows } = await canceller!.query(
      `select pg_cancel_backend(pid) from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%short_wait%'`,
    );
    return rows.length > 0;
  });
  await locker!.query('rollback');
  expect((await asked).status).toBe(200);
});
