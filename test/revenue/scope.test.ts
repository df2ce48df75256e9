import { allScopes, allSurfaces, presets, type Scope } from '@service/catalogue';
import { expect } from 'vitest';
import { callRest, createTestKey } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { callMcp } from '../support/mcp.ts';
import { test } from '../support/service-test.ts';
import { insertLedgerRows, ledgerRow } from './ledger-rows.ts';
import { createSender } from './sender.ts';

/** The scopes of a key with full access before there was revenue. */
const formerScopes = allScopes.filter((scope): scope is Scope => !scope.startsWith('revenue:'));

test('a new key of either preset reads revenue, and a key from before the scope does not', async ({
  service,
  account,
}) => {
  const dashboard = await openDashboard(service, account);
  for (const preset of ['full', 'read'] as const) {
    const { key } = await dashboard.mutate('keys.create', { label: preset, preset });
    expect((await callRest(service, 'GET /revenue/summary', { key })).status, preset).toBe(200);
  }

  const former = await createTestKey(service, account.accountId, { scopes: formerScopes });
  await service.db.database.pool.query(`update keys.api_key set preset = 'full' where id = $1`, [former.id]);
  for (const path of ['/revenue/summary', '/revenue/events'])
    expect((await callRest(service, `GET ${path}`, { key: former.key })).status, path).toBe(401);
  const keys = await dashboard.query('keys.list');
  expect(keys.find(({ id }: { id: string }) => id === former.id)).toMatchObject({
    preset: 'full',
    access: 'Full access, without revenue',
  });
  expect(presets.read.scopes).toContain('revenue:read');
});

test('a registration shows its net revenue to members and to keys with the scope only', async ({
  service,
  world,
}) => {
  const { key, accountId, webinar } = world;
  const at = `/webinars/${webinar.id}/registrations`;
  const person = { name: 'Ada', email: 'ada@example.com', sessionTime: webinar.sessionTime };
  const { id: registrationId, revenue } = (await callRest(service, `POST ${at}`, { key, body: person })).json
    .data;
  expect(revenue).toEqual([]);
  const credited = { level: 'registered', webinarId: webinar.id, registrationId };
  await insertLedgerRows(service.db, accountId, [
    ledgerRow({ ...credited, amountMinor: 4900 }),
    ledgerRow({ ...credited, type: 'refund', amountMinor: -900 }),
    ledgerRow({ ...credited, amountMinor: 1200, currency: 'JPY' }),
    ledgerRow({ amountMinor: 77 }),
  ]);

  const net = [
    { currency: 'EUR', netMinor: 4000 },
    { currency: 'JPY', netMinor: 1200 },
  ];
  const without = await createTestKey(service, accountId, { scopes: formerScopes, surfaces: allSurfaces });
  const calls = [
    `GET ${at}/${registrationId}`,
    `GET ${at}`,
    `POST ${at}/${registrationId}/rotate-token`,
    `POST ${at}`,
  ];
  for (const route of calls) {
    const body = route === `POST ${at}` ? person : undefined;
    const shown = [
      await callRest(service, route, { key, body }),
      await callRest(service, route, { key: without.key, body }),
    ];
    const [withScope, withoutScope] = shown.map(({ json }) => [json.data].flat()[0]);
    expect(withScope.revenue, route).toEqual(net);
    expect(withoutScope, route).not.toHaveProperty('revenue');
    expect(withoutScope.id, route).toBe(registrationId);
  }
  const bulk = { registrations: [person] };
  expect(
    (await callRest(service, `POST ${at}/bulk`, { key, body: bulk })).json.data[0].registration.revenue,
  ).toEqual(net);
  const dashboard = await openDashboard(service, world);
  expect(
    (await dashboard.query('registrations.get', { webinarId: webinar.id, registrationId })).revenue,
  ).toEqual(net);
});

test('the filter by purchases is refused to keys without the scope like an unknown key, over REST and as a tool', async ({
  service,
  world,
}) => {
  const { key, accountId, webinar } = world;
  const without = await createTestKey(service, accountId, { scopes: formerScopes });
  const list = (query: string, credential: string) =>
    callRest(service, `GET /webinars/${webinar.id}/registrations${query}`, {
      key: credential,
      headers: { 'X-Request-Id': 'same' },
    });
  const unknown = await list('', 'svc_live_unknown');
  for (const purchased of [true, false]) {
    expect((await list(`?purchased=${purchased}`, key)).status).toBe(200);
    for (const query of [`?purchased=${purchased}`, `?colour=red&purchased=${purchased}`]) {
      const refused = await list(query, without.key);
      expect([refused.status, refused.text]).toEqual([401, unknown.text]);
    }
    const given = { webinarId: webinar.id, purchased };
    const call = { id: 1, method: 'tools/call', params: { name: 'list_registrations', arguments: given } };
    expect((await callMcp(service, call, { key })).status).toBe(200);
    expect((await callMcp(service, call, { key: without.key })).status).toBe(401);
  }
  expect((await list('', without.key)).status).toBe(200);
});

test('a purchase and its refund are on the timeline of a registration for members and for keys with the scope only', async ({
  service,
  world,
}) => {
  const at = `/webinars/${world.webinar.id}/registrations`;
  const person = { name: 'Ada', email: 'ada@example.com', sessionTime: world.webinar.sessionTime };
  const { id: registrationId } = (await callRest(service, `POST ${at}`, { key: world.key, body: person }))
    .json.data;
  const shop = await createSender(service, world);
  const timestamp = new Date().toISOString();
  await shop.send({ event_id: 'sale', timestamp });
  const back = { event_id: 'back', type: 'refund', amount_minor: -900, original_transaction_id: 'sale' };
  await shop.send({ ...back, timestamp });

  const typesOf = (events: { type: string }[]) => events.map(({ type }) => type);
  const read = async (key: string, query = '') =>
    (await callRest(service, `GET ${at}/${registrationId}/events${query}`, { key })).json;
  const without = await createTestKey(service, world.accountId, { scopes: formerScopes });
  expect(typesOf((await read(world.key)).data)).toEqual(['refund', 'purchase', 'registered']);
  expect(typesOf((await read(without.key)).data)).toEqual(['registered']);
  // A page of one event shows that nothing is left out after the page was read.
  const page = await read(without.key, '?limit=1');
  expect([typesOf(page.data), page.pagination.hasMore]).toEqual([['registered'], false]);
  const input = { webinarId: world.webinar.id, registrationId };
  const seen = await shop.owner.query('registrations.events', input);
  expect(typesOf(seen)).toEqual(['refund', 'purchase', 'registered']);
});
