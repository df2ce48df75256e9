// The lists and the chart of the dashboard over all endpoints of a workspace.
import { expect } from 'vitest';
import { createTestWorld } from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { test } from './automation-world.ts';

test('the dashboard lists deliveries and endpoints of a workspace, a webinar and a source, and charts them', async ({
  world,
  dashboard,
}) => {
  // Without a second try: while one is under way, nothing waits.
  await using _worker = await testWorker(world.service.db.url, { retryScheduleSeconds: [0, 86_400] });
  await using good = await startReceiver();
  await using bad = await startReceiver((_request, response) => response.writeHead(500).end());
  const webinarId = world.webinar.id;
  const subscribe = { url: good.url, description: 'CRM sync', eventTypes: ['registered', 'joined'] };
  const webhook = (await world.call('POST /webhooks', subscribe)).json.data;
  const rule = await world.rule(bad.url, { name: 'To the CRM' });
  const elsewhere = (await world.rest('POST /webinars', { title: 'B' })).json.data;
  const registrationId = await world.register('ada@example.com');
  await world.untilNewest(`/webhooks/${webhook.id}/deliveries`, 'success');
  await world.untilNewest(`/automations/${rule.id}/deliveries`, 'retrying');

  const list = (name: string, input: object): Promise<Record<string, unknown>[]> =>
    dashboard.query(name, input);
  const data = await list('deliveries.list', {});
  const sources = data.map(({ source }) => source);
  expect(sources).toHaveLength(2);
  expect(sources).toContainEqual({
    kind: 'webhook',
    id: webhook.id,
    webinarId,
    name: 'CRM sync',
    enabled: true,
  });
  expect(sources).toContainEqual({ kind: 'rule', id: rule.id, webinarId, name: 'To the CRM', enabled: true });
  expect(data.map((delivery) => delivery['registrationId'])).toEqual([registrationId, registrationId]);
  const count = async (input: object): Promise<number> => (await list('deliveries.list', input)).length;
  expect(await count({ webinarId })).toBe(2);
  expect(await count({ webinarId: elsewhere.id })).toBe(0);
  expect(await count({ sourceId: rule.id })).toBe(1);
  expect(await count({ sourceId: webhook.id, responseCode: '2xx' })).toBe(1);
  expect(await count({ webinarId, status: 'retrying' })).toBe(1);
  expect(await count({ registrationId, eventType: 'joined' })).toBe(0);
  await expect(list('deliveries.list', { webinarId: elsewhere.id, sourceId: rule.id })).rejects.toThrow(
    'rule_not_found',
  );
  expect(await dashboard.query('registrations.byIds', { ids: [registrationId] })).toEqual([
    { id: registrationId, webinarId, name: expect.any(String), email: 'ada@example.com' },
  ]);

  const newest = await list('deliveries.newest', { webinarId });
  expect(Object.fromEntries(newest.map(({ sourceId, status }) => [sourceId, status]))).toEqual({
    [webhook.id]: 'success',
    [rule.id]: 'retrying',
  });
  expect(await list('deliveries.newest', { webinarId: elsewhere.id })).toEqual([]);

  const endpoints = await list('endpoints.list', {});
  expect(endpoints).toMatchObject([
    {
      kind: 'rule',
      id: rule.id,
      webinarTitle: expect.any(String),
      url: bad.url,
      eventTypes: ['registered'],
      tried: 1,
      successRate: 0,
      health: { lastResponseCode: 500 },
    },
    {
      kind: 'subscription',
      id: webhook.id,
      name: 'CRM sync',
      eventTypes: ['registered', 'joined'],
      waiting: 0,
      oldestWaitingAt: null,
      successRate: 1,
      p50Ms: expect.any(Number),
    },
  ]);
  const first = await world.rest('GET /webhook-endpoints?limit=1');
  expect(first.json.data).toEqual([endpoints[0]]);
  const next = `GET /webhook-endpoints?limit=1&cursor=${first.json.pagination.nextCursor}`;
  expect((await world.rest(next)).json.data).toEqual([endpoints[1]]);
  expect((await list('endpoints.list', { limit: 1 })).map(({ id }) => id)).toEqual([rule.id]);
  expect(await list('endpoints.list', { webinarId: elsewhere.id })).toEqual([]);

  const sums = async (input: object) => {
    const { bars } = await dashboard.query('deliveries.histogram', input);
    const sum = (key: string): number =>
      bars.reduce((total: number, bar: Record<string, number>) => total + bar[key]!, 0);
    return [sum('success'), sum('failure'), sum('waiting')];
  };
  await eventually('the chart to include the last second', async () => (await sums({}))[0] === 1);
  expect(await sums({ webinarId })).toEqual([1, 0, 1]);
  expect(await sums({ sourceId: rule.id, range: 'last_hour' })).toEqual([0, 0, 1]);
  expect(await sums({ webinarId: elsewhere.id })).toEqual([0, 0, 0]);

  const stranger = await createTestWorld(world.service);
  const outside = await openDashboard(world.service, stranger);
  expect(await outside.query('deliveries.list', {})).toEqual([]);
  expect(await outside.query('endpoints.list', {})).toEqual([]);
  expect(await outside.query('registrations.byIds', { ids: [registrationId] })).toEqual([]);
  for (const input of [{ webinarId }, { sourceId: rule.id }])
    await expect(outside.query('deliveries.list', input)).rejects.toThrow(/not_found/);
  await world.call(`DELETE /automations/${rule.id}`);
  expect((await list('deliveries.list', {})).map(({ source }) => source)).toContain(null);
});
