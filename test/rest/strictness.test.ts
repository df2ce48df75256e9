import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestWebinar,
  testApi,
  type TestApi,
} from '../support/api.ts';

let service: TestApi;
let key: string;
let webinar: { id: string; sessionTime: string };

beforeAll(async () => {
  service = await testApi();
  const { accountId } = await createTestAccount(service);
  ({ key } = await createTestKey(service, accountId));
  webinar = await createTestWebinar(service, accountId);
});
afterAll(() => service[Symbol.asyncDispose]());

const send = (
  route: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = { 'Content-Type': 'application/json' },
) => {
  const [method, path] = route.split(' ') as [string, string];
  return fetch(`${service.baseUrl}/api/v1${path}`, {
    method,
    body,
    headers: { Authorization: `Bearer ${key}`, ...headers },
  });
};

test('one answer lists all problems of a body, unknown fields by name', async () => {
  const answer = await callRest(service, 'POST /webinars', {
    key,
    body: {
      title: ' ',
      schedule: { slotsShown: 'all' },
      durationSeconds: '60',
      timezone: 'Mars/Olympus',
      colour: 'red',
    },
  });
  expect(answer.status).toBe(422);
  expect(answer.json.code).toBe('validation_failed');
  expect(answer.json.issues.map((issue: { path: string }) => issue.path).toSorted()).toEqual([
    'colour',
    'durationSeconds',
    'schedule.slotsShown',
    'timezone',
    'title',
  ]);
  expect(answer.json.requestId).toBe(answer.headers.get('x-request-id'));
});

test.each([
  [
    'automations',
    { name: ' ', trigger: { type: 'registered' }, action: { type: 'webhook', url: '' } },
    ['action.url', 'name'],
  ],
  ['webhooks', { url: 'https://', eventTypes: ['unknown'] }, ['eventTypes.0', 'url']],
])('a malformed URL of an endpoint is among the problems of %s', async (path, body, problems) => {
  const answer = await callRest(service, `POST /webinars/${webinar.id}/${path}`, { key, body });
  expect(answer.json.issues.map((issue: { path: string }) => issue.path).toSorted()).toEqual(problems);
});

test.for([
  ['POST /webinars/{id}/registrations?x=1', '{"name":5,"foo":1}', ['email', 'foo', 'name', 'x']],
  [
    'POST /webinars/{id}/registrations',
    '{"webinarId":"x","name":5,"utm":{"__proto__":1},"__proto__":{}}',
    ['__proto__', 'email', 'name', 'utm.__proto__', 'webinarId'],
  ],
  ['GET /webinars?foo=1&limit=0&status=zz', undefined, ['foo', 'limit', 'status']],
  ['GET /webinars?limit=0&status=zz&limit=5', undefined, ['limit', 'status']],
  ['PATCH /webinars/{id}?x=1', '{}', ['body', 'x']],
] as const)(
  '%s with the body %s is answered with all problems of query, path and body',
  async ([route, body, problems]) => {
    const [method, path] = route.replace('{id}', webinar.id).split(' ') as [string, string];
    const answer = await fetch(`${service.baseUrl}/api/v1${path}`, {
      method,
      ...(body !== undefined && { body }),
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
    });
    const { issues } = (await answer.json()) as { issues: { path: string }[] };
    expect(answer.status).toBe(422);
    expect(issues.map((issue) => issue.path).toSorted()).toEqual(problems);
  },
);

test.for([
  ['sessions', ['startsAt', 'control']],
  ['branches', ['fromSegmentId', 'toSegmentId', 'label', 'via']],
] as const)(
  'every missing field of %s is named as required, also one with a closed set of values',
  async ([path, fields]) => {
    const { json } = await callRest(service, `POST /webinars/${webinar.id}/${path}`, { key, body: {} });
    expect(json.issues).toEqual(fields.map((field) => ({ path: field, message: 'Required.' })));
  },
);

test('a filter that takes one value or several names the values that it takes', async () => {
  const path = `/webinars/${webinar.id}/webhooks/${webinar.id}/deliveries`;
  const answer = await callRest(service, `GET ${path}?status=failing,success`, { key });
  expect(answer.json.issues[0].message).toContain('"failing"');
});

test.for([
  '/api-calls',
  '/revenue/events',
  '/webinars/{id}/sessions',
  '/webinars/{id}/executions',
  '/webinars/{id}/automations/{id}/executions',
  '/webinars/{id}/webhooks/{id}/deliveries',
])('a list of %s until a time before its beginning is refused', async (template) => {
  const path = template.replaceAll('{id}', webinar.id);
  const range = 'from=2026-12-02T00:00:00Z&to=2026-12-01T00:00:00Z';
  const answer = await callRest(service, `GET ${path}?${range}`, { key });
  expect(answer.json.issues).toEqual([{ path: 'to', message: 'Must be after `from`.' }]);
});

test('the answer to a body with very many problems lists the first hundred and their number', async () => {
  const body = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`field${index}`, index]));
  const answer = await callRest(service, 'POST /webinars', { key, body });
  expect([answer.status, answer.json.issues.length]).toEqual([422, 101]);
  expect(answer.json.issues[100].message).toBe('And 4901 more problems.');
});

test('nothing is coerced in JSON and everything is in a query', async () => {
  const body = { url: 'https://example.com', eventTypes: ['registered'], active: 'false' };
  const refused = await callRest(service, `POST /webinars/${webinar.id}/webhooks`, { key, body });
  expect(refused.json.issues.map((issue: { path: string }) => issue.path)).toContain('active');
  expect((await callRest(service, 'GET /webinars?limit=1', { key })).status).toBe(200);
  for (const query of [
    'limit=0',
    'limit=101',
    'limit=1.5',
    'limit=abc',
    'limit=',
    'limit=1&limit=2',
    'colour=red',
    'cursor=bad',
  ]) {
    const answer = await callRest(service, `GET /webinars?${query}`, { key });
    expect([400, 422], query).toContain(answer.status);
    expect(JSON.stringify(answer.json.issues), query).toContain(query.split('=')[0]);
  }
});

test('a path parameter cannot be overridden from the body or the query', async () => {
  const body = {
    name: 'Ada',
    email: 'a@example.com',
    sessionTime: webinar.sessionTime,
    webinarId: webinar.id,
  };
  const answer = await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  expect(answer.status).toBe(422);
  expect(answer.json.issues).toEqual([{ path: 'webinarId', message: 'Unknown field.' }]);
  expect((await callRest(service, `GET /webinars/${webinar.id}?webinarId=x`, { key })).status).toBe(422);
  expect((await callRest(service, 'GET /webinars/x?webinarId=x', { key })).status).toBe(404);
});

test('malformed bodies and wrong media types have error codes of their own', async () => {
  const route = 'POST /webinars';
  expect((await send(route, '{"title":')).status).toBe(400);
  expect((await send(route, new Uint8Array([0x22, 0xff, 0xfe, 0x22]))).status).toBe(400);
  expect((await send(route, '[]')).status).toBe(400);
  expect((await send(route, 'title=x', { 'Content-Type': 'application/x-www-form-urlencoded' })).status).toBe(
    415,
  );
  expect((await send(route, '{}', { 'Content-Type': 'application/json; charset=latin1' })).status).toBe(415);
  expect((await send(route, '{}', { 'Content-Type': 'application/json; charset=UTF-8' })).status).toBe(422);
  expect(
    (await send(route, '{}', { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })).status,
  ).toBe(415);
  expect((await send(route, `{"title":"${'x'.repeat(1_100_000)}"}`)).status).toBe(413);
  expect((await send(route, '{"title":"a\\u0000b"}')).status).toBe(422);
  expect((await send(route, `${'['.repeat(50_000)}${']'.repeat(50_000)}`)).status).toBe(400);
});

test('a time that the database cannot store is refused like any other bad value', async () => {
  for (const sessionTime of [
    '0000-01-01T00:00:00Z',
    '9999-12-31T23:59:59-23:59',
    '2026-02-30T00:00:00Z',
    '2099-01-01',
  ]) {
    const body = { name: 'Ada', email: 'ada@example.com', sessionTime };
    const answer = await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
    expect([answer.status, answer.json.issues[0].path], sessionTime).toEqual([422, 'sessionTime']);
  }
});

test('a time without a session is refused with the nearest ones', async () => {
  const body = { name: 'Ada', email: 'ada@example.com', sessionTime: '2099-01-01T00:00:00Z' };
  const answer = await callRest(service, `POST /webinars/${webinar.id}/registrations`, { key, body });
  expect([answer.status, answer.json.code]).toEqual([422, 'session_time_unavailable']);
  expect(answer.json.details.nearest).toEqual([webinar.sessionTime]);
});

test('a write without a body needs no content type', async () => {
  const answer = await callRest(service, `POST /webinars/${webinar.id}/publish`, { key });
  expect(answer.status).toBe(200);
});

test('unknown paths, wrong methods and odd ids are JSON', async () => {
  const missing = await callRest(service, 'GET /nowhere', { key });
  expect([missing.status, missing.json.code]).toEqual([404, 'not_found']);
  const wrong = await callRest(service, 'PUT /webinars', { key });
  expect([wrong.status, wrong.headers.get('allow')]).toEqual([405, 'GET, HEAD, POST']);
  for (const id of ['not-an-id', '%00', '..%2f..', 'a%20b', '%', `${webinar.id}x`]) {
    expect((await callRest(service, `GET /webinars/${id}`, { key })).status, id).toBe(404);
  }
});

test('HEAD answers like GET without a body', async () => {
  // Compressed, an answer's length is not known before it is sent.
  const headers = { 'Accept-Encoding': 'identity' };
  const get = await callRest(service, 'GET /webinars', { key, headers });
  const head = await callRest(service, 'HEAD /webinars', { key, headers });
  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers.get('content-length')).toBe(get.headers.get('content-length'));
});

test('a sane request id is echoed, another is replaced', async () => {
  const echoed = await callRest(service, 'GET /webinars', {
    key,
    headers: { 'X-Request-Id': 'order-17.retry_2' },
  });
  expect(echoed.headers.get('x-request-id')).toBe('order-17.retry_2');
  const replaced = await callRest(service, 'GET /webinars', {
    key,
    headers: { 'X-Request-Id': 'a b<script>' },
  });
  expect(replaced.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/);
});

test('two requests on one connection, the first with an unread body, are not mixed up', async () => {
  const { port } = new URL(service.baseUrl);
  const smuggled = 'GET /api/v1/webinars HTTP/1.1\r\nHost: x\r\n\r\n';
  const socket = connect(Number(port), '127.0.0.1');
  let text = '';
  socket.on('data', (chunk) => (text += chunk));
  socket.write(
    `POST /api/v1/webinars HTTP/1.1\r\nHost: x\r\nContent-Length: ${smuggled.length}\r\n\r\n${smuggled}`,
  );
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => socket.on('close', resolve));
  expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});
