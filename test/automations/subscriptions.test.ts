import { signBody } from '@service/signing';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import type { Received } from '../support/receiver.ts';
import { testWorker } from '../support/worker.ts';
import { nowhere, test } from './automation-world.ts';

const isSignedWith = (secret: string, { body, headers }: Received): boolean =>
  headers['x-service-signature'] === signBody(secret, body);

test('a PATCH changes the given fields and leaves the others', async ({ world }) => {
  const eventTypes = ['registered', 'joined'];
  const { json } = await world.call('POST /webhooks', { url: nowhere, eventTypes });
  const { secret, ...created } = json.data;
  const at = `/webhooks/${created.id}`;

  const url = `${nowhere}/elsewhere`;
  const kept = { ...created, url, cancelledDeliveries: null, updatedAt: expect.any(String) };
  expect((await world.call(`PATCH ${at}`, { url })).json.data).toEqual(kept);
  const types = await world.call(`PATCH ${at}`, { eventTypes: ['cta_click', 'left', 'joined', 'left'] });
  expect(types.status).toBe(200);
  expect(types.json.data).toEqual({ ...kept, eventTypes: ['joined', 'left', 'cta_click'] });
  const off = await world.call(`PATCH ${at}`, { active: false });
  const { cancelledDeliveries, ...switchedOff } = off.json.data;
  expect(cancelledDeliveries).toMatchObject({ count: 0, oldestCreatedAt: null });
  expect(switchedOff).toEqual({
    ...created,
    url,
    eventTypes: ['joined', 'left', 'cta_click'],
    active: false,
    updatedAt: expect.any(String),
  });
  expect(switchedOff.updatedAt > created.updatedAt).toBe(true);
  expect(await world.get(at)).toEqual(switchedOff);
  expect(off.text).not.toContain(secret);
});

const forbiddenUrls = [
  'not a url',
  'ftp://example.com',
  'https://10.0.0.1/x',
  'https://[::ffff:192.168.0.1]/',
  'https://user:pass@example.com',
  'https://169.254.169.254/latest',
];

test('a forbidden URL is refused with a message, and nothing is stored', async ({ world }) => {
  for (const url of forbiddenUrls) {
    const { status, json } = await world.call('POST /webhooks', { url, eventTypes: ['registered'] });
    expect([status, json.issues[0].path], url).toEqual([422, 'url']);
  }
  expect(await world.get('/webhooks')).toEqual([]);
});

test('a PATCH without fields, with unknown fields or with a forbidden URL is refused', async ({ world }) => {
  const webhook = await world.subscribe(nowhere);
  const at = `/webhooks/${webhook.id}`;
  for (const [body, path] of [
    [{}, 'body'],
    ...forbiddenUrls.map((url) => [{ url }, 'url'] as const),
    [{ eventTypes: [] }, 'eventTypes'],
    [{ eventTypes: ['chat_response'] }, 'eventTypes.0'],
    [{ active: 'no' }, 'active'],
    [{ active: null }, 'active'],
    [{ active: false, secret: 'mine' }, 'secret'],
  ] as const) {
    const answer = await world.call(`PATCH ${at}`, body);
    expect([answer.status, answer.json.issues[0].path], JSON.stringify(body)).toEqual([422, path]);
  }
  const { secret: _secret, ...unchanged } = webhook;
  expect(await world.get(at)).toEqual(unchanged);
});

test('an active subscription gets each event of its types once', async ({ world }) => {
  const webhook = await world.subscribe(nowhere);
  const at = `/webhooks/${webhook.id}`;
  await world.call(`PATCH ${at}`, { eventTypes: ['joined'] });
  await world.register('not-chosen@example.com');
  await world.call(`PATCH ${at}`, { eventTypes: ['registered', 'joined'] });
  await world.register('chosen@example.com');
  await world.call(`PATCH ${at}`, { active: false });
  await world.register('off@example.com');
  await world.call(`PATCH ${at}`, { active: true });
  await world.register('on@example.com');
  const { data } = (await world.call(`GET ${at}/deliveries`)).json;
  expect(data.map((delivery: { status: string }) => delivery.status)).toEqual(['queued', 'cancelled']);
});

test('parallel PATCHes leave one rule for each event type', async ({ world }) => {
  const webhook = await world.subscribe(nowhere);
  const wanted = ['registered', 'joined', 'left', 'no_show'];
  const { pool } = world.service.db.database;
  // Rules are locked until every call waits for the lock.
  await using lock = await lockRows(pool, 'lock table automations.rule in exclusive mode', []);
  const patches = Promise.all(
    [1, 2, 3].map(() => world.call(`PATCH /webhooks/${webhook.id}`, { eventTypes: wanted })),
  );
  await eventually('three to wait', async () => (await countWaiting(pool)) === 3);
  await lock.release();
  expect((await patches).map(({ status }) => status)).toEqual([200, 200, 200]);
  const { rows } = await pool.query(
    `select array_agg(trigger_type order by trigger_type) as types
     from automations.rule where subscription_id = $1`,
    [webhook.id],
  );
  expect(rows).toEqual([{ types: wanted.toSorted() }]);
});

test('after a rotation the next delivery is signed with the new secret and no longer with the old one', async ({
  world,
  receiver,
}) => {
  await using _worker = await testWorker(world.service.db.url);
  const old = await world.subscribe(receiver.url);
  await world.register('first@example.com');
  await eventually('the first webhook', () => receiver.received.length === 1);
  expect(isSignedWith(old.secret, receiver.received[0]!)).toBe(true);

  const rotated = await world.call(`POST /webhooks/${old.id}/rotate-secret`);
  expect(rotated.status).toBe(200);
  const { secret, ...rest } = rotated.json.data;
  expect(rest).toEqual({
    id: old.id,
    secretLast4: secret.slice(-4),
    secretRotatedAt: expect.stringMatching(/Z$/),
  });
  await world.register('second@example.com');
  await eventually('the second webhook', () => receiver.received.length === 2);
  expect(isSignedWith(secret, receiver.received[1]!)).toBe(true);
  expect(isSignedWith(old.secret, receiver.received[1]!)).toBe(false);

  const got = await world.call(`GET /webhooks/${old.id}`);
  expect(got.json.data).toMatchObject(rest);
  expect(Date.parse(rest.secretRotatedAt)).toBeGreaterThan(Date.parse(old.createdAt));
  expect(got.text).not.toContain(secret);
});

test('deleting a subscription deletes its rules and cancels its waiting deliveries', async ({ world }) => {
  const eventTypes = ['registered', 'joined', 'left'];
  const at = `/webhooks/${(await world.subscribe('http://127.0.0.1:9/', { eventTypes })).id}`;
  await world.register('ada@example.com');
  const [waiting] = await world.get(`${at}/deliveries`);
  expect(waiting.status).toBe('queued');
  const removed = await world.call(`DELETE ${at}`);
  expect([removed.status, removed.text]).toEqual([204, '']);
  for (const method of ['GET', 'DELETE']) expect((await world.call(`${method} ${at}`)).status).toBe(404);
  await world.register('eve@example.com');
  const { rows } = await world.service.db.database.pool.query('select id, ended_as from deliveries.delivery');
  expect(rows).toEqual([{ id: waiting.id, ended_as: 'cancelled' }]);
});
