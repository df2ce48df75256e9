import { request } from 'node:http';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';

let service: TestApi;
let key: string;
beforeAll(async () => {
  service = await testApi();
  const { accountId } = await createTestAccount(service);
  ({ key } = await createTestKey(service, accountId));
});
afterAll(() => service[Symbol.asyncDispose]());

/** Sends the path as it stands: fetch would normalise it. */
async function get(path: string) {
  const { port } = new URL(service.baseUrl);
  const { promise, resolve, reject } = Promise.withResolvers<{
    status: number;
    body: string;
    type: string;
  }>();
  const headers = { Authorization: `Bearer ${key}`, Connection: 'close' };
  request({ port, path, headers }, (response) => {
    text(response).then(
      (body) => resolve({ status: response.statusCode!, body, type: response.headers['content-type'] ?? '' }),
      reject,
    );
  })
    .on('error', reject)
    .end();
  return promise;
}

test('a path has one spelling: doubled slashes, other cases, escapes and dot segments are JSON 404', async () => {
  expect((await get('/api/v1/me')).status).toBe(200);
  for (const path of [
    '//api',
    '//api/v1/me',
    '/api//v1/me',
    '/api/v1//me',
    '/api/v1/me/',
    '/API',
    '/API/v1/me',
    '/api/V1/me',
    '/api/v1/ME',
    '/api/v1/DOCS',
    '/%61pi/v1/me',
    '/api/v1/%6de',
    '/api/v1/./me',
    '/api/v1/webinars/../me',
    '/api/v1/webinars/%2e%2e/me',
    '/api/v1\\me',
    '/TRPC/keys.list',
    '/METRICS',
    '/HEALTHZ',
    '/R/x',
  ]) {
    const answer = await get(path);
    expect([answer.status, answer.type], path).toEqual([404, 'application/json; charset=utf-8']);
    expect(JSON.parse(answer.body).code, path).toBe('not_found');
  }
});

test('a name that begins with a dot is never answered with the page of the dashboard', async () => {
  for (const path of [
    '/.env',
    '/.git/config',
    '/w/.env',
    '/%2eenv',
    '/assets/.env',
    '/.well-known/x',
    '/../.env',
  ])
    expect((await get(path)).status, path).toBe(404);
});

test('a request may name the host in its target, as a request to a proxy does', async () => {
  expect((await get(`${service.baseUrl}/api/v1/me`)).status).toBe(200);
});
