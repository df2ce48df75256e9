import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';

const friend = 'https://app.example.com';
const stranger = 'https://evil.example';

let open: TestApi;
let closed: TestApi;
let key: string;

beforeAll(async () => {
  open = await testApi({ corsAllowedOrigins: [friend] });
  closed = await testApi({ shared: open.db });
  ({ key } = await createTestWorld(open));
});
afterAll(async () => {
  await closed[Symbol.asyncDispose]();
  await open[Symbol.asyncDispose]();
});

const corsHeaders = (answer: Response): string[] =>
  [...answer.headers.keys()].filter((name) => name.startsWith('access-control-'));

const preflight = ({ baseUrl }: TestApi, origin: string) =>
  fetch(`${baseUrl}/api/v1/webinars`, {
    method: 'OPTIONS',
    headers: {
      Origin: origin,
      'Access-Control-Request-Method': 'POST',
      'Access-Control-Request-Headers': 'authorization,content-type,idempotency-key',
    },
  });

const read = ({ baseUrl }: TestApi, origin: string) =>
  fetch(`${baseUrl}/api/v1/webinars`, { headers: { Origin: origin, Authorization: `Bearer ${key}` } });

test('by default no page of another origin can call the API', async () => {
  const asked = await preflight(closed, friend);
  expect([asked.status, corsHeaders(asked)]).toEqual([401, []]);
  const answer = await read(closed, friend);
  expect([answer.status, corsHeaders(answer)]).toEqual([200, []]);
});

test('an allowed origin gets its preflight without a key, sees the headers it needs and can send no cookie', async () => {
  const asked = await preflight(open, friend);
  expect(asked.status).toBe(204);
  expect(asked.headers.get('access-control-allow-origin')).toBe(friend);
  expect(asked.headers.get('access-control-allow-methods')).toContain('PATCH');
  for (const header of ['Idempotency-Key', 'If-Match', 'MCP-Protocol-Version'])
    expect(asked.headers.get('access-control-allow-headers')?.split(',')).toContain(header);
  expect(asked.headers.get('access-control-allow-credentials')).toBeNull();
  for (const answer of [
    await read(open, friend),
    await fetch(`${open.baseUrl}/api/v1/webinars`, { headers: { Origin: friend } }),
  ]) {
    expect(answer.headers.get('access-control-allow-origin')).toBe(friend);
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull();
    expect(answer.headers.get('vary')).toContain('Origin');
    const exposed = answer.headers.get('access-control-expose-headers')!.split(',');
    const sent = [...answer.headers.keys()].filter((name) =>
      /^(x-r|retry|idem|link|location|etag)/.test(name),
    );
    expect(exposed.map((name) => name.toLowerCase())).toEqual(expect.arrayContaining(sent));
  }
});

test('an origin that is not allowed gets no CORS headers', async () => {
  for (const origin of [stranger, 'null', `${friend}.evil.example`, 'http://app.example.com']) {
    const asked = await preflight(open, origin);
    expect([asked.status, corsHeaders(asked)], origin).toEqual([401, []]);
    const answer = await read(open, origin);
    expect([answer.status, corsHeaders(answer)], origin).toEqual([200, []]);
  }
});

test('other paths stay closed, and every origin may read the document', async () => {
  const trpc = await fetch(`${open.baseUrl}/trpc/webinars.list`, { headers: { Origin: friend } });
  expect(corsHeaders(trpc)).toEqual([]);
  for (const api of [open, closed]) {
    const document = await fetch(`${api.baseUrl}/api/v1/openapi.json`, { headers: { Origin: stranger } });
    expect(document.headers.get('access-control-allow-origin')).toBe('*');
  }
});
