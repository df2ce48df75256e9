// REST is translated by trpc-to-openapi: its handler calls the procedure of every route, and its document has the paths.
import { createId } from '@service/database';
import { listRoutes } from '@service/rest';
import { forEachOpenApiProcedure } from 'trpc-to-openapi';
import { expect, vi } from 'vitest';
import { insertLedgerRows, ledgerRow } from '../revenue/ledger-rows.ts';
import { callRest, createTestKey, createTestWebinar } from '../support/api.ts';
import { serveRest } from '../support/chain.ts';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { createEverything, pathOf } from '../support/everything.ts';
import { callTool } from '../support/mcp.ts';
import { startReceiver } from '../support/receiver.ts';
import { test } from '../support/service-test.ts';

test('the handler of trpc-to-openapi makes the call of every route, once', async ({ service }) => {
  await using receiver = await startReceiver();
  const { router } = service.api.service;
  // Nothing else uses the callers of tRPC: other surfaces call procedures by name.
  const createCaller = vi.fn(router.createCaller);
  await using rest = await serveRest(service, { ...router, createCaller });
  const { ids, bodies, key } = await createEverything(service, receiver.url);
  for (const { method, template } of listRoutes(router)) {
    const route = `${method} ${template}`;
    const body = JSON.stringify(bodies[route]);
    const headers = { Authorization: `Bearer ${key}`, ...(body && { 'Content-Type': 'application/json' }) };
    createCaller.mockClear();
    const answer = await fetch(`${rest.origin}${pathOf(template, ids)}`, { method, headers, body });
    expect([answer.status === 401, createCaller.mock.calls.length], route).toEqual([false, 1]);
  }
});

test('the paths of the document are those that trpc-to-openapi finds', async ({ service }) => {
  const { paths } = (await (await fetch(`${service.baseUrl}/api/v1/openapi.json`)).json()) as {
    paths: object;
  };
  const found: string[] = [];
  forEachOpenApiProcedure(service.api.service.router._def.procedures as never, ({ meta }) => {
    found.push(`${meta.openapi.method} ${meta.openapi.path}`);
  });
  const described = Object.entries(paths).flatMap(([path, item]) =>
    Object.keys(item as object).map((method) => `${method.toUpperCase()} ${path}`),
  );
  expect(described.toSorted()).toEqual(found.toSorted());
});

test('values of JSON are converted on no surface, although the handler converts those of the schemas it sees', async ({
  service,
  account,
}) => {
  const { key } = await createTestKey(service, account.accountId);
  const webinar = await createTestWebinar(service, account.accountId);
  const dashboard = await openDashboard(service, account);
  const webhook = { url: 'https://example.com', eventTypes: ['registered'], active: 'false' };
  // The first call of a route is the one after which its schemas would be other ones.
  for (const _call of ['first', 'second']) {
    expect((await callRest(service, 'GET /webinars?limit=1', { key })).status).toBe(200);
    const path = `POST /webinars/${webinar.id}/webhooks`;
    expect((await callRest(service, path, { key, body: webhook })).json.code).toBe('validation_failed');
    const input = { webinarId: webinar.id, ...webhook };
    expect(await refusalOf(dashboard.mutate('webhooks.create', input))).toBe('validation_failed');
    expect(await refusalOf(dashboard.query('webinars.list', { limit: '1' }))).toBe('validation_failed');
    expect((await callTool(service, key, 'list_webinars', { limit: '1' })).isError).toBe(true);
  }
});

test('false, 0 and an empty text of a query are read as they are', async ({
  service,
  account: { accountId },
}) => {
  const { key } = await createTestKey(service, accountId);
  const credited = { level: 'registered', webinarId: createId(), registrationId: createId() };
  await insertLedgerRows(service.db, accountId, [ledgerRow(), ledgerRow(credited)]);
  const listed = await callRest(service, 'GET /revenue/events?attributed=false', { key });
  expect(listed.json.data).toHaveLength(1);
  for (const query of ['limit=0', 'type='])
    expect((await callRest(service, `GET /revenue/events?${query}`, { key })).status, query).toBe(422);
});
