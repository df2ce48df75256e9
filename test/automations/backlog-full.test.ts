// The limits of a workspace on every surface. Attendees and single registrations are never refused.
import { expect, test } from 'vitest';
import { openDashboard, refusalOf } from '../support/dashboard.ts';
import { callTool } from '../support/mcp.ts';
import { createWorld, ruleTo } from '../support/world.ts';

const nowhere = 'http://127.0.0.1:9/';
const bulkOf = (sessionTime: string) => ({
  registrations: [{ name: 'Bob', email: 'bob@example.com', sessionTime }],
});

const deliveryQuota = { waitingMax: 2, bytesMax: 1024 ** 3 };

test('beyond the limit bulk calls, rules and subscriptions are refused over REST, MCP and in the dashboard', async () => {
  await using world = await createWorld({ deliveryQuota });
  await using neighbour = await world.neighbour();
  const { service, key } = world;
  for (const one of [world, neighbour]) await one.subscribe(nowhere);
  const webinarId = world.webinar.id;
  const bulk = bulkOf(world.webinar.sessionTime);
  const subscription = { url: nowhere, eventTypes: ['registered'] };
  for (const email of ['ada@example.com', 'cleo@example.com']) await world.register(email);

  const dashboard = await openDashboard(service, world);
  expect(await dashboard.query('automations.deliveryUsage')).toMatchObject({ waiting: 2, waitingMax: 2 });
  for (const [route, body] of [
    ['POST /registrations/bulk', bulk],
    ['POST /automations', ruleTo(nowhere)],
    ['POST /webhooks', subscription],
  ] as const) {
    const { status, json, headers } = await world.call(route, body);
    expect([status, json.code, headers.get('retry-after')], route).toEqual([
      429,
      'delivery_backlog_full',
      '60',
    ]);
    expect(json.message).toMatch(
      /^2 deliveries of this workspace wait, and its limit is 2\..*DELIVERY_BACKLOG_MAX/,
    );
  }
  for (const [tool, input] of [
    ['bulk_register', { webinarId, ...bulk }],
    ['create_automation', { webinarId, ...ruleTo(nowhere) }],
  ] as const)
    expect((await callTool(service, key, tool, input)).text, tool).toContain('DELIVERY_BACKLOG_MAX');
  for (const [procedure, input] of [
    ['registrations.createMany', { webinarId, ...bulk }],
    ['automations.rules.create', { webinarId, ...ruleTo(nowhere) }],
    ['webhooks.create', { webinarId, ...subscription }],
  ] as const)
    expect(await refusalOf(dashboard.mutate(procedure, input)), procedure).toBe('delivery_backlog_full');

  const ofNeighbour = bulkOf(neighbour.webinar.sessionTime);
  expect((await neighbour.call('POST /registrations/bulk', ofNeighbour)).status).toBe(200);
});

test('beyond the limit a registration and the acts of an attendee succeed, and their deliveries can be listed', async () => {
  await using world = await createWorld({ deliveryQuota });
  const hook = await world.subscribe(nowhere, { eventTypes: ['registered', 'cta_click'] });
  const offer = await world.interaction({ type: 'offer', url: 'https://example.com/', buttonLabel: 'Buy' });
  for (const email of ['bob@example.com', 'cleo@example.com']) await world.register(email);
  const ada = await world.attend();
  world.startSession();
  await ada.visit();
  expect(await ada.click(offer)).toMatchObject({ status: 201 });
  const failed = await world.call(`GET /webhooks/${hook.id}/deliveries?status=failure`);
  expect(failed.json.data).toMatchObject([
    { eventType: 'cta_click', failure: 'backlog_full', attempts: 0, responseCode: null },
    { eventType: 'registered', failure: 'backlog_full', attempts: 0, responseCode: null },
  ]);
  const { id } = failed.json.data[0];
  const detail = await world.get(`/webhooks/${hook.id}/deliveries/${id}`);
  expect(JSON.parse(detail.body)).toMatchObject({ attendee: { email: 'ada@example.com' } });
  expect((await world.call(`POST /webhooks/${hook.id}/deliveries/${id}/redeliver`)).json.code).toBe(
    'delivery_backlog_full',
  );
});

test('a bulk call that begins below the limit succeeds, and its deliveries fill the queue up to the limit', async () => {
  await using world = await createWorld({ deliveryQuota });
  const hook = await world.subscribe(nowhere);
  const registrations = ['ada', 'bob', 'cleo', 'dan', 'eve'].map((name) => ({
    name,
    email: `${name}@example.com`,
    sessionTime: world.webinar.sessionTime,
  }));
  const { status, json } = await world.call('POST /registrations/bulk', { registrations });
  expect([status, json.summary]).toEqual([200, { created: 5, existing: 0, failed: 0 }]);
  const { data } = (await world.call(`GET /webhooks/${hook.id}/deliveries`)).json;
  const failures = data.map(({ failure }: { failure: string | null }) => failure);
  expect(failures.toSorted()).toEqual(['backlog_full', 'backlog_full', 'backlog_full', null, null]);
});
