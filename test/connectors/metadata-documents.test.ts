// Metadata documents of clients: a real host on this machine publishes them. Only tests reach it, by an option of the service.
import type { RequestListener } from 'node:http';
import { createOutboundPolicy } from '@service/outbound-http';
import { blockedHosts } from '@service/outbound-http/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, testApi, type TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { listen } from '../support/receiver.ts';
import {
  approve,
  authorize,
  codeForm,
  createAttempt,
  postForm,
  redirectUri,
  requestOf,
} from './oauth-client.ts';

/** Browsers have different addresses, which a proxy reports. */
const trustedProxies = ['loopback'];

/** The answers of the host by path. */
const answers = new Map<string, RequestListener>();
const asked: string[] = [];

let service: TestApi;
let strict: TestApi;
let dashboard: DashboardClient;
let host: Awaited<ReturnType<typeof listen>>;
beforeAll(async () => {
  host = await listen((request, response) => {
    asked.push(request.url!);
    const answer = answers.get(request.url!);
    if (answer) answer(request, response);
    else response.writeHead(404).end();
  });
  const policy = createOutboundPolicy({ allowedCidrs: ['127.0.0.0/8'], allowHttp: true });
  service = await testApi({ options: { clientDocuments: { policy }, trustedProxies } });
  // The receivers of webhooks may be on this machine here, as in every test. Metadata documents may not.
  strict = await testApi({ shared: service.db, options: { trustedProxies } });
  dashboard = await openDashboard(service, await createTestAccount(service));
});
afterAll(async () => {
  await strict[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
  await host.close();
});

/** Publishes a document. Returns its URL, which is the client id. */
function publish(path: string, document: object = {}, headers: Record<string, string> = {}): string {
  const clientId = `${host.origin}${path}`;
  const body = {
    client_id: clientId,
    client_name: 'Published assistant',
    redirect_uris: [redirectUri],
    ...document,
  };
  answers.set(path, (_request, response) => {
    response.writeHead(200, { 'Content-Type': 'application/json', ...headers }).end(JSON.stringify(body));
  });
  return clientId;
}

let addresses = 0;
const newAddress = (): string => `203.0.113.${(addresses += 1)}`;

const ask = (clientId: string, at: TestApi = service, address = newAddress()) =>
  authorize(at, createAttempt(at, clientId).parameters, { 'X-Forwarded-For': address });
const asksOf = (path: string) => asked.filter((url) => url === path).length;

test('a client is known by its document, and its host is shown', async () => {
  const clientId = publish('/client.json');
  const attempt = createAttempt(service, clientId);
  const request = await requestOf(service, attempt);
  expect(await dashboard.query('connectors.request', { request })).toMatchObject({
    clientName: 'Published assistant',
    clientHost: new URL(host.origin).host,
    redirectHost: '127.0.0.1',
  });
  const redirect = await approve(dashboard, { request, scopes: ['webinars:read'] });
  const tokens = await postForm(service, 'token', codeForm(attempt, redirect.searchParams.get('code')!));
  expect(tokens.status).toBe(200);
  expect((await dashboard.query('grants.list'))[0].clientHost).toBe(new URL(host.origin).host);
});

test('a client without a name is shown with its host', async () => {
  const clientId = publish('/nameless.json', { client_name: undefined });
  const request = await requestOf(service, createAttempt(service, clientId));
  expect((await dashboard.query('connectors.request', { request })).clientName).toBe(
    new URL(host.origin).host,
  );
});

test.each([
  ['no header', {}, 1],
  ['a time', { 'Cache-Control': 'max-age=60' }, 1],
  ['no-store', { 'Cache-Control': 'no-store' }, 3],
])('a document is fetched again as its Cache-Control says: %s', async (title, headers, fetches) => {
  const path = `/cached-${title.replaceAll(' ', '-')}.json`;
  const clientId = publish(path, {}, headers);
  for (let index = 0; index < 3; index += 1) await ask(clientId);
  expect(asksOf(path)).toBe(fetches);
});

test('requests at the same time share one fetch', async () => {
  const clientId = publish('/shared.json');
  await Promise.all(Array.from({ length: 5 }, () => ask(clientId)));
  expect(asksOf('/shared.json')).toBe(1);
});

const send =
  (body: string): RequestListener =>
  (_request, response) =>
    void response.end(body);

/** A document that is valid but for its size. */
const padded =
  (bytes: number): RequestListener =>
  ({ url }, response) =>
    void response.end(
      JSON.stringify({
        client_id: `${host.origin}${url}`,
        redirect_uris: [redirectUri],
        padding: 'x'.repeat(bytes),
      }),
    );

test.each<[string, RequestListener, string]>([
  [
    'a redirect to a valid document',
    ({ url }, response) => {
      const document = { client_id: `${host.origin}${url}`, redirect_uris: [redirectUri] };
      answers.set('/redirected.json', send(JSON.stringify(document)));
      response.writeHead(302, { Location: `${host.origin}/redirected.json` }).end();
    },
    'redirects to another one',
  ],
  ['an error', (_request, response) => void response.writeHead(500).end(), 'the status 500'],
  ['no JSON', send('<html>'), 'It is not JSON'],
  ['a list', send('[]'), 'It has no client_id'],
  ['a megabyte', padded(1024 * 1024), 'larger than 5 KB'],
  ['six kilobytes', padded(6000), 'larger than 5 KB'],
  ['the id of another document', send('{"client_id":"https://example.com/client.json"}'), 'not its own URL'],
  ['no id', send('{"redirect_uris":[]}'), 'It has no client_id'],
])('a document is refused: %s', async (title, answer, reason) => {
  const path = `/bad-${title.replaceAll(' ', '-')}.json`;
  answers.set(path, answer);
  const { status, location, page } = await ask(`${host.origin}${path}`);
  expect([status, location]).toEqual([400, undefined]);
  expect(page).toContain('The metadata document of the client cannot be used.');
  expect(page).toContain(reason);
  expect(asksOf('/redirected.json')).toBe(0);
});

test.each<[string, object, string]>([
  ['no redirect URIs', { redirect_uris: undefined }, 'redirect_uris'],
  [
    'a script as redirect URI',
    { redirect_uris: [redirectUri, 'javascript:alert(1)'] },
    'javascript: is not allowed',
  ],
  ['http to another machine', { redirect_uris: ['http://example.com/'] }, 'Use https'],
  ['a name that turns the text around', { client_name: 'moc.live\u202e' }, 'client_name'],
  ['another grant type only', { grant_types: ['client_credentials'] }, 'grant_types'],
])('a document is refused with: %s', async (title, document, reason) => {
  const clientId = publish(`/wrong-${title.replaceAll(' ', '-')}.json`, document);
  const { status, page } = await ask(clientId);
  expect(status).toBe(400);
  expect(page).toContain(reason);
});

test('a redirect URI that the document does not list is refused', async () => {
  const clientId = publish('/other-redirect.json', { redirect_uris: ['https://example.com/callback'] });
  expect((await ask(clientId)).page).toContain('redirect_uri is not one of those');
});

test('a slow document is given up, and clients of other hosts are not kept waiting', async () => {
  answers.set('/slow.json', () => undefined);
  const slow = ask(`${host.origin}/slow.json`);
  const quick = publish('/quick.json');
  expect((await ask(quick)).location?.pathname).toBe('/connect');
  const { status, page } = await slow;
  expect(status).toBe(400);
  expect(page).toContain('within 4000 ms');
});

test('one address has only a few fetches under way', async () => {
  const waiting: (() => void)[] = [];
  answers.set('/tarpit.json', (_request, response) => void waiting.push(() => response.end('{}')));
  const paths = ['/tarpit.json?1', '/tarpit.json?2', '/tarpit.json?3', '/tarpit.json?4'];
  for (const path of paths) answers.set(path, answers.get('/tarpit.json')!);
  const address = newAddress();
  const first = paths.map((path) => ask(`${host.origin}${path}`, service, address));
  await eventually('four fetches', () => waiting.length === 4);
  const { status, headers } = await ask(`${host.origin}/tarpit.json?5`, service, address);
  expect([status, headers.get('retry-after')]).toEqual([429, '1']);
  // Another address is served meanwhile.
  expect((await ask(publish('/meanwhile.json'))).location?.pathname).toBe('/connect');
  for (const release of waiting) release();
  await Promise.all(first);
});

test.each([
  'https://example.com',
  'https://example.com/',
  'https://example.com/a/../client.json',
  'https://EXAMPLE.com/client.json',
  'https://example.com:443/client.json',
  'https://user@example.com/client.json',
  'https://example.com/client.json#a',
])('a client id that is not in the normal form is refused: %s', async (clientId) => {
  const { status, page } = await ask(clientId, strict);
  expect(status).toBe(400);
  expect(page).toContain('in its normal form');
});

test('a document at a private address is refused, also where webhooks may be sent to it, and nothing is sent', async () => {
  const before = asked.length;
  // A client id has the normal form of its host, so several spellings are one.
  const urls = new Set(
    blockedHosts.flatMap(([blocked]) => URL.parse(`https://${blocked}/client.json`)?.href ?? []),
  );
  expect(urls.size).toBeGreaterThan(30);
  for (const url of urls) {
    const { status, location, page } = await ask(url, strict);
    expect([status, location], url).toEqual([400, undefined]);
    expect(page, url).toContain('private or reserved address');
  }
  // http is refused too, also to this machine.
  expect((await ask(`${host.origin}/client.json`, strict)).page).toContain('must start with https');
  expect(asked.length).toBe(before);
});
