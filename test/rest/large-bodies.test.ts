// Bodies of up to 8 MB, which only bulk registrations take.
import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { callRest, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { postToDoor } from '../support/shop.ts';

const megabyte = 1024 * 1024;

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
});
beforeEach(async () => {
  world = await createTestWorld(service);
});

const bulkPath = ({ webinar }: TestWorld) => `/api/v1/webinars/${webinar.id}/registrations/bulk`;

/** A bulk call whose body has so many bytes. */
const bulk = (of: TestWorld, bytes: number, body: object = oneRow(of)) =>
  post(of, bulkPath(of), JSON.stringify(body).padEnd(bytes));

const post = (of: TestWorld, path: string, body: string) =>
  postToDoor(service, path, { body, headers: { authorization: `Bearer ${of.key}` } });

const oneRow = ({ webinar }: TestWorld) => ({
  registrations: [{ name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime }],
});

test('a bulk call may have 8 MB, and every other call 1 MB', async () => {
  expect((await bulk(world, 8 * megabyte)).status).toBe(200);
  expect(await bulk(world, 8 * megabyte + 1)).toMatchObject({
    status: 413,
    json: { code: 'body_too_large' },
  });
  const single = `/api/v1/webinars/${world.webinar.id}/registrations`;
  const row = JSON.stringify(oneRow(world).registrations[0]);
  expect((await post(world, single, row.padEnd(megabyte))).status).toBe(200);
  expect((await post(world, single, row.padEnd(megabyte + 1))).status).toBe(413);
});

test('500 rows with long texts in all fields are registered in one call', async () => {
  const fields = (prefix: string, count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`${prefix}${index}`, 'é'.repeat(150)]));
  const registrations = Array.from({ length: 500 }, (_, index) => ({
    ...oneRow(world).registrations[0],
    email: `person-${index}@example.com`,
    customFields: fields('field', 30),
    metadata: fields('entry', 20),
  }));
  const { status, json } = await bulk(world, 0, { registrations });
  expect([status, json.summary]).toEqual([200, { created: 500, existing: 0, failed: 0 }]);
});

test('a large body with more values than 500 rows can have is refused before it is parsed', async () => {
  const values = (count: number) => bulk(world, 2 * megabyte, { registrations: Array(count).fill(0) });
  expect((await values(99_998)).status).toBe(422);
  expect(await values(100_000)).toMatchObject({ status: 413, json: { code: 'body_too_large' } });
});

test('a process reads one large body of an account at a time, until the call is answered or the client goes away', async () => {
  const other = await createTestWorld(service);
  const remaining = async () =>
    Number((await callRest(service, 'GET /me', { key: world.key })).headers.get('x-ratelimit-remaining'));
  const before = await remaining();
  const upload = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  const head = [
    `POST ${bulkPath(world)} HTTP/1.1`,
    'Host: localhost',
    'Content-Type: application/json',
    `Authorization: Bearer ${world.key}`,
    `Content-Length: ${2 * megabyte}`,
  ];
  upload.write(`${head.join('\r\n')}\r\n\r\n{"registrations":[`);
  await eventually('the upload to be admitted', async () => before - (await remaining()) >= 2);

  expect((await bulk(world, megabyte)).status).toBe(200);
  expect((await bulk(other, 2 * megabyte)).status).toBe(200);
  // Four wait, and the fifth is refused.
  const calls = Array.from({ length: 5 }, () => bulk(world, 2 * megabyte));
  const refused = await Promise.race(calls);
  expect([refused.status, refused.json.code, refused.headers.get('retry-after')]).toEqual([
    503,
    'service_busy',
    '5',
  ]);
  const closed = once(upload, 'close');
  upload.destroy();
  await closed;
  const answers = await Promise.all(calls);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(4);
});
