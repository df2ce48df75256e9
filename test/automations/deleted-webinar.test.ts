// The rules and subscriptions of a deleted webinar. The API answers 404 for it, so deliveries are read from the database.
import { expect } from 'vitest';
import { codeOf } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { test } from './automation-world.ts';

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
