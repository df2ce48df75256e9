import pg from 'pg';
import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi } from '../support/api.ts';

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
