import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi({
    options: {
      trustedProxies: ['127.0.0.1', '::1'],
      lateRefusals: { burst: 3, perMinute: 0, lateMs: 3000, waitingMax: 2 },
    },
  });
  world = await createTestWorld(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const call = (from: string, key: string, path = '/webinars') =>
  callRest(service, `GET ${path}`, { key, headers: { 'X-Forwarded-For': from } });

/** Refused calls of an address. `statuses` grows with each answer. */
function callRefused(from: string, count: number) {
  const statuses: number[] = [];
  const answers = Array.from({ length: count }, async () => {
    const answer = await call(from, 'unknown');
    statuses.push(answer.status);
    return answer;
  });
  return { statuses, all: Promise.all(answers) };
}

test('after its burst an address gets refusals late, and all other answers at once', async () => {
  const { statuses, all } = callRefused('203.0.113.1', 4);
  await eventually('the first three are answered', () => statuses.length === 3);
  expect((await call('203.0.113.1', world.key)).status).toBe(200);
  expect((await call('203.0.113.1', world.key, '/webinars/none')).status).toBe(404);
  expect((await call('203.0.113.2', 'unknown')).status).toBe(401);
  expect(statuses).toHaveLength(3);
  const [first, ...others] = (await all).map(({ status, json }) => ({ status, code: json.code }));
  expect(first).toEqual({ status: 401, code: 'invalid_api_key' });
  for (const other of others) expect(other).toEqual(first);
});

test('while as many answers are late as may be, further refusals are sent at once', async () => {
  const { statuses, all } = callRefused('203.0.113.3', 8);
  await eventually('all but two are answered', () => statuses.length === 6);
  expect((await call('203.0.113.3', world.key)).status).toBe(200);
  expect(statuses).toHaveLength(6);
  await all;
});
