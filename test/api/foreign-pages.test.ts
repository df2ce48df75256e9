// Requests that pages of other sites make with a visitor's browser, at the doors that read the sign-in cookie.
import { once } from 'node:events';
import { request, type IncomingMessage } from 'node:http';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';

const site = 'https://webinars.example.com';

/** At localhost; at a public address; and there behind a proxy that sends X-Forwarded-Host. */
let services: Record<'local' | 'public' | 'proxied', TestApi>;
beforeAll(async () => {
  const local = await testApi();
  const at = (trustedProxies: string[]) =>
    testApi({ shared: local.db, options: { baseUrl: site, trustedProxies } });
  services = { local, public: await at([]), proxied: await at(['127.0.0.1', '::1']) };
});
afterAll(async () => {
  for (const service of Object.values(services).toReversed()) await service[Symbol.asyncDispose]();
});

interface Doors {
  method: 'GET' | 'POST';
  path: string;
  body?: string;
  /** The answer to a request that is not refused, without a session. */
  passed: number;
}

const json = { 'Content-Type': 'application/json' };
const doors: Doors[] = [
  { method: 'GET', path: '/trpc/webinars.list', passed: 401 },
  { method: 'POST', path: '/trpc/webinars.create', body: '{}', passed: 401 },
  { method: 'GET', path: '/api/auth/invitation?id=x', passed: 404 },
  { method: 'POST', path: '/api/auth/sign-out', body: '{}', passed: 200 },
  { method: 'GET', path: '/api/revenue/export.csv', passed: 401 },
];

async function ask(service: TestApi, { method, path, body }: Doors, headers: Record<string, string>) {
  const { port } = service.api;
  const sent = request({ host: '127.0.0.1', port, method, path, headers: { ...(body && json), ...headers } });
  sent.end(body);
  const [answer] = (await once(sent, 'response')) as [IncomingMessage];
  const text = (await answer.toArray()).join('');
  return { status: answer.statusCode, text };
}

type Place = keyof typeof services;
type Case = [place: Place, headers: Record<string, string>, isRefused: boolean];

const evil = 'https://evil.example';
const cases: Case[] = [
  ['local', { Host: 'localhost:PORT' }, false],
  ['local', { Host: '127.0.0.1:PORT' }, false],
  ['local', { Host: '[::1]:PORT' }, false],
  ['local', { Host: 'LOCALHOST' }, false],
  ['local', { Host: 'evil.example:PORT' }, true],
  ['local', { Host: 'localhost.evil.example' }, true],
  ['local', { Host: '127.0.0.1.evil.example' }, true],
  ['local', { Host: '192.168.1.5:PORT' }, true],
  ['local', { Host: 'evil.example:PORT', Origin: 'http://evil.example:PORT' }, true],
  ['local', { Host: 'evil.example:PORT', Origin: 'http://localhost:PORT' }, true],
  ['local', { Host: 'localhost:PORT', 'X-Forwarded-Host': 'evil.example' }, false],
  ['local', { Host: 'localhost:PORT', Origin: 'http://localhost:PORT' }, false],
  ['local', { Host: '127.0.0.1:PORT', Origin: 'http://127.0.0.1:PORT' }, false],
  ['local', { Host: 'localhost:PORT', Origin: 'http://localhost:1' }, true],
  ['local', { Host: 'localhost:PORT', Origin: 'null' }, true],
  ['local', { Host: 'localhost:PORT', Origin: evil }, true],
  ['local', { Host: 'localhost:PORT', 'Sec-Fetch-Site': 'same-origin' }, false],
  ['local', { Host: 'localhost:PORT', 'Sec-Fetch-Site': 'none' }, false],
  ['local', { Host: 'localhost:PORT', 'Sec-Fetch-Site': 'same-site' }, true],
  ['local', { Host: 'localhost:PORT', 'Sec-Fetch-Site': 'cross-site' }, true],
  [
    'local',
    { Host: 'localhost:PORT', 'Sec-Fetch-Site': 'cross-site', Cookie: 'service.session_token=x' },
    true,
  ],
  ['local', { Host: 'localhost:PORT', 'Sec-Fetch-Site': 'same-origin', Origin: evil }, true],
  [
    'local',
    { Host: 'localhost:PORT', 'Sec-Fetch-Site': 'cross-site', Origin: 'http://localhost:PORT' },
    true,
  ],
  ['public', { Host: 'webinars.example.com' }, false],
  ['public', { Host: 'webinars.example.com:443' }, false],
  ['public', { Host: 'Webinars.Example.com', Origin: site }, false],
  ['public', { Host: 'webinars.example.com:8443' }, true],
  ['public', { Host: 'localhost:PORT' }, true],
  ['public', { Host: 'localhost:PORT', Origin: site }, true],
  ['public', { Host: 'evil.example' }, true],
  ['public', { Host: 'webinars.example.com', Origin: 'http://webinars.example.com' }, true],
  ['public', { Host: '10.0.0.7:PORT', 'X-Forwarded-Host': 'webinars.example.com' }, true],
  ['proxied', { Host: '10.0.0.7:PORT', 'X-Forwarded-Host': 'webinars.example.com' }, false],
  ['proxied', { Host: '10.0.0.7:PORT', 'X-Forwarded-Host': 'evil.example' }, true],
  [
    'proxied',
    { Host: 'webinars.example.com', 'X-Forwarded-Host': 'webinars.example.com', Origin: site },
    false,
  ],
  ['proxied', { Host: 'webinars.example.com', 'Sec-Fetch-Site': 'cross-site' }, true],
];

test.each(cases)('at the %s service a request with %o is refused: %s', async (place, given, isRefused) => {
  const service = services[place];
  const headers = Object.fromEntries(
    Object.entries(given).map(([name, value]) => [name, value.replace('PORT', String(service.api.port))]),
  );
  for (const door of doors) {
    const { status, text } = await ask(service, door, headers);
    const name = `${door.method} ${door.path}`;
    expect(status, `${name} ${text}`).toBe(isRefused ? 403 : door.passed);
    if (isRefused) expect(JSON.parse(text).code, name).toBe('foreign_origin');
  }
});
