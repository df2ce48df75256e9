import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createClient, isApiError, type ClientOptions } from './index.ts';

interface Scripted {
  status?: number;
  headers?: Record<string, string>;
  body?: unknown;
}

interface Received {
  request: string;
  headers: IncomingHttpHeaders;
  body: string;
}

const key = 'svc_live_0123456789abcdefghijABCDEFGHIJ01';

/** A service that answers with the script, one entry for each request. `hang up` ends the connection without an answer. */
async function startScript(script: readonly (Scripted | 'hang up')[], changed: Partial<ClientOptions> = {}) {
  const received: Received[] = [];
  const waits: number[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { method, url, headers } = request;
      received.push({ request: `${method} ${url}`, headers, body: Buffer.concat(chunks).toString() });
      const answer = script[received.length - 1]!;
      if (answer === 'hang up') {
        request.socket.destroy();
        return;
      }
      const { status = 200, body } = answer;
      response.writeHead(status, { 'content-type': 'application/json', ...answer.headers });
      response.end(typeof body === 'string' ? body : JSON.stringify(body));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const wait = async (ms: number): Promise<void> => void waits.push(ms);
  return { client: createClient({ baseUrl, key, wait, ...changed }), received, waits };
}

const webinarId = '019aa1b7-0d11-7d6e-9a51-3f8f8be7ce11';
const refusal = (code: string): { code: string; message: string } => ({ code, message: 'Refused.' });

test('a call sends the key, the ids of its path, its query and its body, and resolves to the answer', async () => {
  const { client, received } = await startScript([
    { status: 201, headers: { location: '/here' }, body: { data: { id: 'a' } } },
    { body: { data: [], pagination: { nextCursor: null, hasMore: false } } },
    { status: 204 },
  ]);
  const body = { name: 'Ada', email: 'ada@example.com' };
  const created = await client.createRegistration({ path: { webinarId }, body });
  expect(created.data.id).toBe('a');
  expect(created.response.headers.get('location')).toBe('/here');
  await client.listWebinars({ query: { q: 'a b&c', limit: 5 } });
  expect(Object.keys(await client.deleteWebinar({ path: { webinarId: 'a/b' } }))).toEqual(['response']);

  expect(received.map(({ request }) => request)).toEqual([
    `POST /api/v1/webinars/${webinarId}/registrations`,
    'GET /api/v1/webinars?q=a+b%26c&limit=5',
    'DELETE /api/v1/webinars/a%2Fb',
  ]);
  expect(received[0]!.headers).toMatchObject({
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
  });
  expect(JSON.parse(received[0]!.body)).toEqual(body);
});

test('a call that cannot be made rejects', async () => {
  const { client } = await startScript([]);
  await expect(client.getWebinar({ path: { webinarId: '' } })).rejects.toThrow('needs path.webinarId');
  await expect(client.request('GET', '/me', { headers: { 'not a name': 'x' } })).rejects.toThrow(TypeError);
});

test('a write has one idempotency key for all its attempts, and a read has none', async () => {
  const done = { status: 201, body: { data: {} } };
  const { client, received } = await startScript([
    'hang up',
    { status: 503, body: refusal('unavailable') },
    { status: 409, body: refusal('idempotency_in_progress') },
    done,
    done,
    done,
    { body: {} },
  ]);
  const body = { title: 'Launch' };
  await client.createWebinar({ body });
  await client.createWebinar({ body });
  await client.createWebinar({ body, headers: { 'Idempotency-Key': 'own' } });
  await client.getMe();
  const keys = received.map(({ headers }) => headers['idempotency-key']);
  expect(keys[0]).toMatch(/^[\da-f-]{36}$/);
  expect(keys.slice(0, 4)).toEqual(Array(4).fill(keys[0]));
  expect(keys[4]).not.toBe(keys[0]);
  expect(keys.slice(5)).toEqual(['own', undefined]);
});

test('a header of the caller replaces that of the client, in any case', async () => {
  const { client, received } = await startScript([{ body: {} }]);
  const headers = {
    authorization: 'Bearer other',
    'content-type': 'application/merge-patch+json',
    'IDEMPOTENCY-KEY': 'own',
  };
  await client.request('PATCH', '/webinars', { body: {}, headers });
  expect(received[0]!.headers).toMatchObject({
    authorization: 'Bearer other',
    'content-type': 'application/merge-patch+json',
    'idempotency-key': 'own',
  });
});

test('a request is sent again after its Retry-After, and no later than the client is willing to wait', async () => {
  const busy = (seconds: string) => ({
    status: 429,
    headers: { 'retry-after': seconds },
    body: refusal('rate_limited'),
  });
  const { client, waits, received } = await startScript([
    busy('7'),
    busy('60'),
    { body: { data: {} } },
    busy('61'),
  ]);
  await client.getMe();
  expect(waits).toEqual([7000, 60_000]);
  await expect(client.getMe()).rejects.toMatchObject({ code: 'rate_limited', status: 429 });
  expect(received).toHaveLength(4);
});

test('without Retry-After the waits grow, and the last answer counts after the last attempt', async () => {
  const failed = { status: 500, body: refusal('internal_error') };
  const seen: unknown[] = [];
  const { client, waits, received } = await startScript([failed, failed, failed, failed], {
    retriesMax: 3,
    onRetry: ({ attempt, status }) => seen.push([attempt, status]),
  });
  await expect(client.getMe()).rejects.toMatchObject({ code: 'internal_error' });
  expect(received).toHaveLength(4);
  expect(seen).toEqual([
    [2, 500],
    [3, 500],
    [4, 500],
  ]);
  for (const [index, ms] of waits.entries()) {
    expect(ms).toBeGreaterThanOrEqual(250 * 2 ** index);
    expect(ms).toBeLessThanOrEqual(500 * 2 ** index);
  }
});

test('an attempt without an answer in time is sent again, and onRetry gets its error', async () => {
  const reasons: unknown[] = [];
  const { client } = await startScript(['hang up', { body: { data: {} } }], {
    fetch: (url, init) =>
      reasons.length > 0 ? fetch(url, init) : Promise.reject(new DOMException('Too late.', 'TimeoutError')),
    onRetry: ({ status, error }) => reasons.push([status, (error as Error).name]),
  });
  await client.getMe();
  expect(reasons).toEqual([
    [undefined, 'TimeoutError'],
    [undefined, 'TypeError'],
  ]);
});

test('an aborted call is not sent again', async () => {
  const { client, received } = await startScript(['hang up', 'hang up'], {
    wait: async (_ms, signal) => signal?.throwIfAborted(),
  });
  const abort = new AbortController();
  const call = client.getMe({ signal: abort.signal });
  abort.abort(new Error('no longer needed'));
  await expect(call).rejects.toThrow('no longer needed');
  expect(received.length).toBeLessThan(2);
});

test('a refusal has its code, every problem and the request, and its type follows the code', async () => {
  const issues = [
    { path: 'email', message: 'Not an e-mail address.' },
    { path: 'name', message: 'Required.' },
  ];
  const { client } = await startScript([
    {
      status: 422,
      body: { ...refusal('validation_failed'), issues, requestId: 'r1', docUrl: 'https://x/docs#v' },
    },
    { status: 404, body: '<html>', headers: { 'x-request-id': 'r2' } },
    { status: 200, body: '<html>' },
  ]);
  const errors: unknown[] = [];
  for (let call = 0; call < 3; call++) errors.push(await client.getMe().catch((error: unknown) => error));
  expect(errors[0]).toMatchObject({ code: 'validation_failed', status: 422, issues, requestId: 'r1' });
  expect(String(errors[0])).toBe(
    'ApiError: GET /me was answered 422 validation_failed. Refused. email: Not an e-mail address. name: Required.',
  );
  expect(isApiError(errors[0], 'webinar_not_found', 'validation_failed')).toBe(true);
  expect(isApiError(errors[0], 'webinar_not_found')).toBe(false);
  expect(errors[1]).toMatchObject({ code: 'unexpected_answer', status: 404, requestId: 'r2' });
  expect(errors[2]).toMatchObject({ code: 'unexpected_answer', status: 200 });
});

test('all reads each page once, only as far as it is asked for, with the filters of the call', async () => {
  const page = (nextCursor: string | null, ...ids: string[]) => ({
    body: { data: ids.map((id) => ({ id })), pagination: { nextCursor, hasMore: nextCursor !== null } },
  });
  const { client, received } = await startScript([page('c1', 'a', 'b'), page('c2', 'c'), page('c2', 'd')]);
  const ids: string[] = [];
  for await (const { id } of client.listWebinars.all({ query: { status: 'draft' } })) {
    ids.push(id);
    if (id === 'b') expect(received).toHaveLength(1);
    if (id === 'c') break;
  }
  expect(ids).toEqual(['a', 'b', 'c']);
  expect(received.map(({ request }) => request)).toEqual([
    'GET /api/v1/webinars?limit=100&status=draft',
    'GET /api/v1/webinars?limit=100&status=draft&cursor=c1',
  ]);
  const stuck = client.listWebinars.all({ query: { cursor: 'c2' } });
  await expect(stuck.next().then(() => stuck.next())).rejects.toThrow('its own cursor');
});
