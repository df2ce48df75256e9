// A body that comes slowly: its caller was admitted before, and may have lost the right to call meanwhile.
import { request } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  createTestAccount,
  createTestMember,
  createTestWorld,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { signInMember } from '../support/member.ts';

/** An admission is valid for a second. */
const slowMs = 1200;

/** Sends a body without its last byte. The returned function sends this byte and resolves with the status. */
async function park({ baseUrl }: TestApi, path: string, headers: Record<string, string>, body: string) {
  const sent = request(`${baseUrl}${path}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'Content-Length': Buffer.byteLength(body), ...headers },
  });
  const answered = new Promise<number>((resolve, reject) => {
    sent.on('error', reject).on('response', (response) => resolve(response.resume().statusCode!));
  });
  await new Promise<void>((resolve) => sent.write(body.slice(0, -1), () => resolve()));
  await delay(slowMs);
  return (): Promise<number> => {
    sent.end(body.slice(-1));
    return answered;
  };
}

test('a write whose key is revoked while its body comes is refused, over REST and MCP, and one whose key stays is made', async () => {
  await using service = await testApi();
  const world = await createTestWorld(service);
  const dashboard = await openDashboard(service, world);
  const made = await dashboard.mutate('keys.create', { label: 'Slow', preset: 'full' });
  const headers = { Authorization: `Bearer ${made.key}` };
  const bodies: [string, string][] = [
    ['/api/v1/webinars', JSON.stringify({ title: 'Parked' })],
    [
      '/mcp',
      // The sender of a long body is admitted before it is read.
      ' '.repeat(20_000) +
        JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method: 'tools/call',
          params: { name: 'create_webinar', arguments: { title: 'Parked' } },
        }),
    ],
  ];
  const parkAll = () => Promise.all(bodies.map(([path, body]) => park(service, path, headers, body)));
  const first = await parkAll();
  expect(await Promise.all(first.map((end) => end()))).toEqual([201, 200]);

  const second = await parkAll();
  await dashboard.mutate('keys.revoke', { keyId: made.id });
  expect(await Promise.all(second.map((end) => end()))).toEqual([401, 401]);
  const { rows } = await service.db.database.pool.query(
    `select count(*)::int as count from webinars.webinar where title = 'Parked'`,
  );
  expect(rows[0].count).toBe(2);
});

test('a member who was removed while the body comes makes no key', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const max = await createTestMember(service, owner.accountId);
  const { cookie } = await signInMember(service, max);
  const headers = { cookie, 'x-workspace': owner.accountId };
  const body = JSON.stringify({ label: 'Parked', preset: 'full' });
  const stay = await park(service, '/trpc/keys.create', headers, body);
  expect(await stay()).toBe(200);

  const end = await park(service, '/trpc/keys.create', headers, body);
  const asOwner = await openDashboard(service, owner);
  await asOwner.mutate('accounts.members.remove', { userId: max.userId, revokesKeys: true });
  expect(await end()).toBe(401);
  expect(await asOwner.query('keys.list')).toEqual([]);
});
