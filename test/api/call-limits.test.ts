import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { callRest, createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';
import { signInMember, type MemberAnswer } from '../support/member.ts';

/** A window that does not end while a test runs: windows are aligned to the clock. */
function windowSeconds(): number {
  const now = Date.now() / 1000;
  return [3600, 5000, 7000].find((length) => length - (now % length) > 300)!;
}

const listing = 'webinars.list';

const batchOf = (calls: number) => Array.from({ length: calls }, () => listing);

const rateOf = ({ headers }: MemberAnswer) => ({
  limit: Number(headers.get('x-ratelimit-limit')),
  remaining: Number(headers.get('x-ratelimit-remaining')),
});

async function countWindows({ db }: TestApi): Promise<number> {
  const { rows } = await db.database.pool.query('select count(*)::int as count from accounts.session_window');
  return rows[0].count;
}

test('a batch of more than 20 calls is refused as a whole before any of them runs', async () => {
  await using service = await testApi();
  const account = await createTestAccount(service);
  const member = await signInMember(service, account);

  for (const [calls, comma] of [
    [21, ','],
    [21, '%2C'],
    [1000, ','],
  ] as const) {
    const answer = await member.send(`${batchOf(calls).join(comma)}?batch=1`);
    expect(answer.status, `${calls} calls`).toBe(413);
    const requestId = answer.headers.get('x-request-id');
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.json).toEqual({
      error: {
        message: 'A batch may have at most 20 calls. Send several smaller batches.',
        code: -32600,
        data: { httpStatus: 413, code: 'batch_too_large', kind: 'too_large', requestId },
      },
    });
    expect(answer.headers.get('content-type')).toBe('application/json');
  }
  expect(await countWindows(service)).toBe(0);

  const full = await member.call(batchOf(20));
  expect(full.status).toBe(200);
  expect(full.json).toHaveLength(20);
});

test('the 601st call of a session in a minute is refused, over two processes and counted by call', async () => {
  const callLimit = { perSession: 600, perAccount: 3000, windowSeconds: windowSeconds() };
  await using service = await testApi({ callLimit });
  await using other = await testApi({ callLimit, shared: service.db });
  const account = await createTestAccount(service);
  const member = await signInMember(service, account);

  // 29 batches of 20 and 20 single calls, sent to both processes at once.
  const batches = await Promise.all(
    Array.from({ length: 29 }, (_, index) => member.call(batchOf(20), index % 2 ? service : other)),
  );
  const singles = await Promise.all(
    Array.from({ length: 21 }, (_, index) => member.call(listing, index % 2 ? service : other)),
  );
  expect(batches.map(({ status }) => status)).toEqual(Array(29).fill(200));
  expect(singles.filter(({ status }) => status === 200)).toHaveLength(20);
  const refused = singles.find(({ status }) => status === 429);
  expect(rateOf(refused!)).toEqual({ limit: 600, remaining: 0 });
  expect(refused!.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
  expect(Number(refused!.headers.get('x-ratelimit-reset')) % callLimit.windowSeconds).toBe(0);
  expect(refused!.json.error.data).toMatchObject({ code: 'too_many_calls', httpStatus: 429 });
  expect(refused!.json.error.message).toMatch(
    /^Too many requests in a short time\. Try again in \d+ seconds?\.$/,
  );

  for (const at of [service, other]) {
    const again = await member.call(batchOf(20), at);
    expect(again.status).toBe(429);
    expect(again.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    expect(again.json.error.data).toMatchObject({ code: 'too_many_calls', httpStatus: 429 });
  }

  // The API has a window of its own.
  const { key } = await createTestKey(service, account.accountId);
  const rest = await callRest(service, 'GET /me', { key });
  expect(rest.headers.get('x-ratelimit-remaining')).toBe('999999');
});

test('members of one account share its window; calls over the limit of a sign-in session do not use it up', async () => {
  const callLimit = { perSession: 20, perAccount: 30, windowSeconds: windowSeconds() };
  await using service = await testApi({ callLimit });
  const owner = await createTestAccount(service);
  const neighbour = await createTestAccount(service);
  const [one, two, three] = [
    await signInMember(service, owner),
    await signInMember(service, owner),
    await signInMember(service, owner),
  ];

  expect((await one.call(batchOf(15))).status).toBe(200);
  expect((await one.call(batchOf(15))).status).toBe(429);
  const second = await two.call(batchOf(15));
  expect(second.status).toBe(200);
  expect(rateOf(second)).toEqual({ limit: 30, remaining: 0 });
  const third = await three.call(listing);
  expect(third.status).toBe(429);
  expect(rateOf(third)).toEqual({ limit: 30, remaining: 0 });

  const elsewhere = await (await signInMember(service, neighbour)).call(listing);
  expect(elsewhere.status).toBe(200);
  expect(rateOf(elsewhere)).toEqual({ limit: 20, remaining: 19 });
});

test('calls without a workspace count for their sign-in session, and an ended session reads the database once', async () => {
  const callLimit = { perSession: 3, perAccount: 30, windowSeconds: windowSeconds() };
  await using service = await testApi({ callLimit });
  const account = await createTestAccount(service);
  const stranger = await createTestAccount(service);
  const outside = await signInMember(service, { ...stranger, accountId: account.accountId });
  const statuses: number[] = [];
  for (let calls = 0; calls < 5; calls += 1) statuses.push((await outside.call(listing)).status);
  expect(statuses).toEqual([401, 401, 401, 429, 429]);

  const member = await signInMember(service, account);
  await service.db.database.pool.query('delete from accounts.session');
  expect((await member.call(listing)).status).toBe(401);
  await service.db.database.pool.query('alter table accounts.session rename to session_away');
  expect((await member.call(listing)).status).toBe(401);
});

test('one sign-in session may ask who is signed in 100 times at once, and another one is not affected', async () => {
  await using service = await testApi();
  const account = await createTestAccount(service);
  const [first, second] = [await signInMember(service, account), await signInMember(service, account)];
  const ask = async ({ cookie }: { cookie: string }) =>
    (await fetch(`${service.baseUrl}/api/session`, { headers: { cookie } })).status;
  const statuses = await Promise.all(Array.from({ length: 110 }, () => ask(first)));
  expect(statuses.filter((status) => status === 200).length).toBeLessThan(110);
  expect(new Set(statuses)).toEqual(new Set([200, 429]));
  expect(await ask(second)).toBe(200);
});

test('a caller’s mistake is 400, 404, 405, 413 or 415 in the shape of errors, and writes no log line', async () => {
  const lines: string[] = [];
  const log = createLog('test', { level: 'warn', destination: { write: (line) => void lines.push(line) } });
  await using service = await testApi({ log });
  const member = await signInMember(service, await createTestAccount(service));
  const json = { 'Content-Type': 'application/json' };
  const post = (body: string, headers: Record<string, string> = json) => ({ method: 'POST', headers, body });
  const cases: [string, Parameters<typeof member.send>[1] & object, number, string][] = [
    ['webinars.create', {}, 405, 'method_not_allowed'],
    [listing, post('{}'), 405, 'method_not_allowed'],
    [listing, { method: 'PUT', headers: json, body: '{}' }, 405, 'method_not_allowed'],
    [listing, { method: 'DELETE' }, 405, 'method_not_allowed'],
    ['webinars.create', post('x'.repeat(1024 * 1024 + 1)), 413, 'body_too_large'],
    ['webinars.create', post('title=x', { 'Content-Type': 'text/plain' }), 415, 'unsupported_media_type'],
    [
      'webinars.create',
      post('--x\r\n\r\n\r\n--x--', { 'Content-Type': 'multipart/form-data; boundary=x' }),
      415,
      'unsupported_media_type',
    ],
    ['webinars.nothing', {}, 404, 'not_found'],
    ['webinars.create', post('{'), 400, 'malformed_request'],
    [`${listing}?input=%7B`, {}, 400, 'malformed_request'],
    [`${listing}?batch=1&input=3`, {}, 400, 'malformed_request'],
    [`${listing},webinars.create?batch=1`, {}, 400, 'malformed_request'],
    ['%ff', {}, 400, 'malformed_request'],
  ];
  for (const [path, init, status, code] of cases) {
    const answer = await member.send(path, init);
    const title = `${init.method ?? 'GET'} ${path}`;
    const [first] = [answer.json].flat();
    expect([answer.status, first.error?.data.code ?? first.code], title).toEqual([status, code]);
    expect(answer.headers.get('x-request-id'), title).toMatch(/^[0-9a-f-]{36}$/);
    expect(answer.headers.has('allow'), title).toBe(status === 405);
  }
  expect(lines).toEqual([]);
});
