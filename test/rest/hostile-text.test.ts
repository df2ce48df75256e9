// Characters that Postgres cannot store, or that change what a header, a log or a terminal shows, in every text of every write.
import type { OpenApiDocument } from '@service/rest';
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

const hostile = { NUL: '\0', 'a control character': '\u0001', 'half a surrogate pair': '\ud800' };

type Json = string | number | boolean | null | Json[] | { [name: string]: Json };

interface Write {
  route: string;
  example: Json;
}

async function listWrites(): Promise<Write[]> {
  const document = (await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).json()) as OpenApiDocument;
  return Object.entries(document.paths).flatMap(([template, operations]) =>
    Object.entries(operations as Record<string, { requestBody?: unknown }>).flatMap(([method, operation]) => {
      const body = (
        operation.requestBody as { content: Record<string, { example?: Json; schema?: unknown }> }
      )?.content['application/json'];
      if (!body?.example) return [];
      const path = template
        .replace('{webinarId}', webinar.id)
        .replaceAll(/\{\w+\}/g, '019aa1c2-7ac2-7b1f-8e60-5a1f3a7a5d01');
      return [{ route: `${method.toUpperCase()} ${path}`, example: body.example }];
    }),
  );
}

/** The body once for each of its texts, with that text spoilt; and where the text is. */
function* spoil(value: Json, insert: string, path: string[] = []): Generator<{ body: Json; path: string }> {
  if (typeof value === 'string') yield { body: value + insert, path: path.join('.') };
  else if (typeof value === 'object' && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      for (const spoilt of spoil(member, insert, [...path, name])) {
        const body: Json = Array.isArray(value)
          ? value.with(Number(name), spoilt.body)
          : { ...value, [name]: spoilt.body };
        yield { body, path: spoilt.path };
      }
    }
  }
}

test('each hostile text is refused by name in every text of every body', async () => {
  const writes = await listWrites();
  expect(writes.length).toBeGreaterThan(15);
  let asked = 0;
  for (const { route, example } of writes) {
    for (const [what, insert] of Object.entries(hostile)) {
      for (const { body, path } of spoil(example, insert)) {
        const answer = await callRest(service, route, { key, body });
        asked += 1;
        const problem = `${route} with ${what} in ${path}: ${answer.status} ${answer.text}`;
        if (route.endsWith('/bulk')) {
          const issues = answer.json.data[0]?.error?.issues ?? answer.json.data[1]?.error?.issues;
          expect(JSON.stringify(issues), problem).toContain(path.split('.')[2]);
        } else {
          expect([422, 404], problem).toContain(answer.status);
          if (answer.status === 422)
            expect(JSON.stringify(answer.json.issues), problem).toContain(path.split('.')[0]);
        }
      }
    }
  }
  expect(asked).toBeGreaterThan(200);
});

test('each hostile text is refused in the queries of lists', async () => {
  for (const query of ['q=a%00b', 'q=a%01b', 'status=%00', 'cursor=%00', 'limit=%00', '%00=1']) {
    const answer = await callRest(service, `GET /webinars?${query}`, { key });
    expect([400, 422], query).toContain(answer.status);
  }
  const list = `GET /webinars/${webinar.id}/registrations`;
  for (const query of ['email=a%00@example.com', 'sessionId=%00', 'registeredFrom=%00'])
    expect((await callRest(service, `${list}?${query}`, { key })).status, query).toBe(422);
});

test('a URL is refused with a control character, and is otherwise kept as it was given', async () => {
  const subscribe = (url: string) =>
    callRest(service, `POST /webinars/${webinar.id}/webhooks`, {
      key,
      body: { url, eventTypes: ['registered'] },
    });
  for (const insert of ['\0', '\n', '\t', '\u0085', '\ud800']) {
    const answer = await subscribe(`http://127.0.0.1:9/a${insert}b`);
    expect([answer.status, answer.json.issues?.[0]?.path]).toEqual([422, 'url']);
  }
  const url = 'http://127.0.0.1:9/Bücher/ä b?q=ü';
  const kept = await subscribe(url);
  expect([kept.status, kept.json.data?.url]).toEqual([201, url]);
});

test('a text keeps its tabs and line breaks', async () => {
  const description = 'First\tline\r\nSecond\nline 👩‍🚀';
  const body = { title: 'Lines', description };
  expect((await callRest(service, 'POST /webinars', { key, body })).json.data.description).toBe(description);
});

test('a time that cannot be stored is refused by name wherever one is given', async () => {
  const subscription = await callRest(service, `POST /webinars/${webinar.id}/webhooks`, {
    key,
    body: { url: 'http://127.0.0.1:9/', eventTypes: ['registered'] },
  });
  const below = `/webinars/${webinar.id}/webhooks/${subscription.json.data.id}`;
  for (const time of [
    '0000-01-01T00:00:00Z',
    '0001-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '9999-12-31T23:59:59-01:00',
  ]) {
    for (const name of ['since', 'until']) {
      const body = { since: '2026-11-20T09:00:00Z', [name]: time };
      const answer = await callRest(service, `POST ${below}/recoveries`, { key, body });
      expect([answer.status, answer.json.issues?.[0]?.path], time).toEqual([422, name]);
    }
    for (const route of [
      `${below}/deliveries?from=`,
      `${below}/deliveries?to=`,
      `/webinars/${webinar.id}/sessions?from=`,
      `/webinars/${webinar.id}/registrations?registeredTo=`,
    ])
      expect(
        (await callRest(service, `GET ${route}${encodeURIComponent(time)}`, { key })).status,
        route,
      ).toBe(422);
  }
});

test('a time filter with an offset that Postgres refuses is the same instant as in UTC', async () => {
  for (const route of [
    'sessions?from=',
    'sessions?to=',
    'registrations?registeredFrom=',
    'registrations?registeredTo=',
  ]) {
    const time = encodeURIComponent('2026-06-30T10:00:00+23:59');
    const { status } = await callRest(service, `GET /webinars/${webinar.id}/${route}${time}`, { key });
    expect(status, route).toBe(200);
  }
});

test('names that every object inherits are unknown fields like any other', async () => {
  for (const name of ['__proto__', 'constructor', 'toString', 'hasOwnProperty']) {
    const asked = await callRest(service, `GET /webinars?${name}=1`, { key });
    expect(asked.status, name).toBe(422);
    expect(asked.json.issues).toEqual([{ path: name, message: 'Unknown query parameter.' }]);
    const answer = await fetch(`${service.baseUrl}/api/v1/webinars`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: `{"title":"A","${name}":1}`,
    });
    expect([answer.status, ((await answer.json()) as { issues: unknown }).issues]).toEqual([
      422,
      [{ path: name, message: 'Unknown field.' }],
    ]);
  }
});

test('a free name is not __proto__ either', async () => {
  const person = `"name":"Ada","email":"ada@example.com","sessionTime":"${webinar.sessionTime}"`;
  for (const field of ['customFields', 'metadata']) {
    const answer = await fetch(`${service.baseUrl}/api/v1/webinars/${webinar.id}/registrations`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: `{${person},"${field}":{"__proto__":"x"}}`,
    });
    expect([answer.status, ((await answer.json()) as { issues: unknown }).issues]).toEqual([
      422,
      [{ path: `${field}.__proto__`, message: 'Unknown field.' }],
    ]);
  }
});

test('a cursor opens only the list of the account that it came from', async () => {
  const stranger = await createTestAccount(service);
  const other = await createTestKey(service, stranger.accountId);
  for (const title of ['One', 'Two']) {
    await callRest(service, 'POST /webinars', { key, body: { title } });
    await callRest(service, 'POST /webinars', { key: other.key, body: { title } });
  }
  const page = await callRest(service, 'GET /webinars?limit=1', { key });
  const cursor = page.json.pagination.nextCursor as string;
  expect((await callRest(service, `GET /webinars?limit=1&cursor=${cursor}`, { key })).status).toBe(200);
  for (const [route, asking] of [
    ['GET /webinars', other.key],
    ['GET /webinars?status=draft', key],
    [`GET /webinars/${webinar.id}/sessions`, key],
    [`GET /webinars/${webinar.id}/registrations`, key],
    [`GET /webinars/${webinar.id}/webhooks`, key],
    [`GET /webinars/${webinar.id}/automations`, key],
    [`GET /webinars/${webinar.id}/executions`, key],
    [`GET /webinars/${webinar.id}/interactions`, key],
  ] as const) {
    const answer = await callRest(service, `${route}${route.includes('?') ? '&' : '?'}cursor=${cursor}`, {
      key: asking,
    });
    expect([answer.status, answer.json.issues?.[0]?.path], route).toEqual([400, 'cursor']);
  }
});

test('a cursor of rules is not one of subscriptions of the same webinar', async () => {
  const base = `/webinars/${webinar.id}`;
  const action = { type: 'webhook', url: 'http://127.0.0.1:9/' };
  for (const name of ['One', 'Two']) {
    const rule = { name, trigger: { type: 'registered', params: {} }, action };
    expect((await callRest(service, `POST ${base}/automations`, { key, body: rule })).status).toBe(201);
  }
  const page = await callRest(service, `GET ${base}/automations?limit=1`, { key });
  const cursor = page.json.pagination.nextCursor as string;
  expect((await callRest(service, `GET ${base}/webhooks?cursor=${cursor}`, { key })).status).toBe(400);
});
