import type { RateLimit } from '@service/keys';
import { expect } from 'vitest';
import { startApiProcess } from '../support/api-process.ts';
import { callRest, createTestAccount, createTestKey, testApi } from '../support/api.ts';
import { test } from '../support/service-test.ts';

/** A limit whose window does not end while a test runs: windows are aligned to the clock. */
function limitOf(requests: number): RateLimit {
  const now = Date.now() / 1000;
  const windowSeconds = [3600, 5000, 7000].find((length) => length - (now % length) > 300)!;
  return { requests, windowSeconds };
}

/** Sends in parallel, at most `concurrency` at a time. */
async function sendAll<Result>(
  count: number,
  concurrency: number,
  send: (index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) results.push(await send(next++));
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return results;
}

test('of 400 requests to two processes exactly the 100 of the limit succeed, and every answer carries the rate-limit headers', async ({
  service,
  account: { accountId },
}) => {
  // Two keys: more keys do not raise throughput.
  const keys = [await createTestKey(service, accountId), await createTestKey(service, accountId)];
  const rateLimit = limitOf(100);
  await using stack = new AsyncDisposableStack();
  const starting = [1, 2].map(() => startApiProcess(service.db.url, { rateLimit }));
  const processes = (await Promise.all(starting)).map((started) => stack.use(started));

  const answers = await sendAll(400, 50, (index) =>
    callRest(processes[index % 2]!, 'GET /me', { key: keys[index % 3 === 0 ? 1 : 0]!.key }),
  );
  const passed = answers.filter((answer) => answer.status === 200);
  const refused = answers.filter((answer) => answer.status === 429);
  expect([passed.length, refused.length]).toEqual([100, 300]);

  const remaining = passed.map((answer) => Number(answer.headers.get('x-ratelimit-remaining')));
  expect(remaining.toSorted((a, b) => a - b)).toEqual(Array.from({ length: 100 }, (_, index) => index));
  const resets = new Set(answers.map((answer) => answer.headers.get('x-ratelimit-reset')));
  expect(resets.size).toBe(1);
  expect(Number([...resets][0]) % rateLimit.windowSeconds).toBe(0);
  for (const answer of answers) expect(answer.headers.get('x-ratelimit-limit')).toBe('100');
  for (const answer of passed) expect(answer.headers.has('retry-after')).toBe(false);
  for (const answer of refused) {
    expect(answer.json.code).toBe('rate_limited');
    expect(answer.headers.get('x-ratelimit-remaining')).toBe('0');
    const retryAfter = answer.headers.get('retry-after')!;
    expect(retryAfter).toMatch(/^[1-9]\d*$/);
    expect(Number(retryAfter)).toBeLessThanOrEqual(rateLimit.windowSeconds);
  }
});

test('a new window has all its requests again, and one account does not use up another', async () => {
  await using service = await testApi({ rateLimit: limitOf(2) });
  const mine = await createTestKey(service, (await createTestAccount(service)).accountId);
  const theirs = await createTestKey(service, (await createTestAccount(service)).accountId);
  const statuses = async (key: string) => [
    (await callRest(service, 'GET /me', { key })).status,
    (await callRest(service, 'GET /me', { key })).status,
    (await callRest(service, 'GET /me', { key })).status,
  ];
  expect(await statuses(mine.key)).toEqual([200, 200, 429]);
  expect(await statuses(theirs.key)).toEqual([200, 200, 429]);
  // As if the window they were counted in were the one before.
  await service.db.database.pool.query(
    `update keys.rate_window set started_at = started_at - interval '1 day'`,
  );
  expect(await statuses(mine.key)).toEqual([200, 200, 429]);
});

test('refusals count and carry the rate-limit headers too; calls that do not authenticate count for no account', async () => {
  await using service = await testApi({ rateLimit: limitOf(6) });
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId, { scopes: ['webinars:read'] });
  const answers = [
    await callRest(service, 'GET /webinars?limit=0', { key }),
    await callRest(service, 'GET /nowhere', { key }),
    await callRest(service, 'PUT /webinars', { key }),
    await callRest(service, 'GET /webinars/none', { key }),
    await callRest(service, 'POST /webinars', { key, body: {} }),
    await callRest(service, 'GET /webinars', {}),
    await callRest(service, 'HEAD /webinars', { key }),
  ];
  expect(answers.map((answer) => [answer.status, answer.headers.get('x-ratelimit-remaining')])).toEqual([
    [422, '5'],
    [404, '4'],
    [405, '3'],
    [404, '2'],
    [401, null],
    [401, null],
    [200, '1'],
  ]);
});

test('a request over the limit is a row of Activity and does nothing', async () => {
  await using service = await testApi({ rateLimit: limitOf(1) });
  const { accountId } = await createTestAccount(service);
  const { key } = await createTestKey(service, accountId);
  await callRest(service, 'GET /me', { key });
  const refused = await callRest(service, 'POST /webinars', { key, body: { title: 'Too many' } });
  expect(refused.status).toBe(429);
  await service.api.service.activity.flush();
  const { pool } = service.db.database;
  const rows = await pool.query('select status from activity.api_call order by id');
  expect(rows.rows).toEqual([{ status: 200 }, { status: 429 }]);
  expect((await pool.query('select from webinars.webinar')).rowCount).toBe(0);
});
