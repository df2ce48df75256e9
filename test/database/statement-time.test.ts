import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { openDatabase, type AccountDatabase } from '@service/database';
import { expect } from 'vitest';
import { test } from '../support/database-test.ts';

const sleep = (account: AccountDatabase, seconds: number) =>
  account.query({ text: 'select pg_sleep($1)' }, [seconds]);

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
