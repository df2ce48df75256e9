// The rules and subscriptions of a deleted webinar. The API answers 404 for it, so deliveries are read from the database.
import { expect } from 'vitest';
import { codeOf } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { callTool } from '../support/mcp.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { nowhere, test } from './automation-world.ts';
import { createWorld } from '../support/world.ts';

test('deleting a webinar deletes its rules and subscriptions, and nothing that waits is sent any more', async ({
  world,
}) => {
  const { pool } = world.service.db.database;
  await using receiver = await startReceiver((_request, response) => response.writeHead(500).end());
  await using _worker = await testWorker(world.service.db.url, { retryScheduleSeconds: [0, 3600, 3600] });
  const email = { type: 'email', to: 'members', purpose: 'service', subject: 'New', text: '{{email}}' };
  await world.rule(receiver.url, {
    action: undefined,
    actions: [{ type: 'webhook', url: receiver.url }, email],
  });
  await world.subscribe(receiver.url, { eventTypes: ['registered', 'joined'] });
  const neighbour = await world.neighbour();
  await neighbour.subscribe(receiver.url);
  for (const one of [world, neighbour]) await one.register('ada@example.com');
  await eventually('three failed attempts', () => receiver.received.length === 3);

  expect((await world.call('DELETE ')).status).toBe(204);
  const count = async (sql: string) => (await pool.query(`select count(*)::int from ${sql}`)).rows[0].count;
  await eventually(
    'the deliveries to be cancelled',
    async () => (await count(`deliveries.delivery where ended_as = 'cancelled'`)) === 2,
  );
  expect(await count('deliveries.due')).toBe(1);
  expect(await count('deliveries.endpoint')).toBe(1);
  for (const table of ['rule', 'subscription'])
    expect(await count(`automations.${table} where account_id <> '${neighbour.accountId}'`), table).toBe(0);
  expect((await neighbour.get('/webhooks')).length).toBe(1);
  expect(await count(`mails.mail where kind = 'rule' and status = 'too_late'`)).toBe(1);
  expect(codeOf(await world.call('GET /webhooks'))).toEqual([404, 'webinar_not_found']);
});

test('no list has the deliveries of a deleted webinar, and lists of keys have none of an archived one', async ({
  world,
  dashboard,
}) => {
  const { service } = world;
  const [archived, kept] = [
    await createWorld({ beside: world, workspace: world }),
    await createWorld({ beside: world, workspace: world }),
  ];
  const sources = new Map<string, string>();
  for (const one of [world, archived, kept]) {
    const gone = await one.rule(nowhere);
    sources.set(one.webinar.id, (await one.subscribe(nowhere)).id);
    await one.register('ada@example.com');
    await one.call(`DELETE /automations/${gone.id}`);
  }
  await world.call('DELETE ');
  await archived.call('POST /archive');

  const count = (rows: { registrationId: string | null }[]): number => rows.length;
  const listed = async (given: object) => {
    const { isError, data } = await callTool(service, world.key, 'list_deliveries', { ...given });
    return isError ? data.code : count(data.data);
  };
  const shown = (given: object): Promise<number | string> =>
    dashboard.query('deliveries.list', given).then(count, ({ message }) => message);
  expect([await listed({}), await shown({})]).toEqual([2, 4]);
  const filters = (webinarId: string) => [
    [{ webinarId }, { webinarId }],
    [{ subscriptionId: sources.get(webinarId) }, { sourceId: sources.get(webinarId) }],
  ];
  for (const [tool, query] of filters(kept.webinar.id))
    expect([await listed(tool!), await shown(query!)]).toEqual([1, 1]);
  for (const [tool, query] of filters(archived.webinar.id))
    expect([await listed(tool!), await shown(query!)]).toEqual(['webinar_not_found', 1]);
  for (const [tool, query] of filters(world.webinar.id))
    for (const code of [await listed(tool!), await shown(query!)]) expect(code).toMatch(/_not_found$/);
});
