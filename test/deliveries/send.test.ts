import { createHmac } from 'node:crypto';
import type { Query } from '@service/database';
import { Webhook } from 'standardwebhooks';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld } from './delivery-world.ts';

// Everything that a serializer, a database or a sender might change.
const awkwardBody = '{ "b":1,"a" : "ü € 😀 \\u0000 \\"quoted\\" \'x\' ? $1 \\\\", "a":  2.0 }';

test('a committed delivery arrives without waiting for the sweep: frozen bytes, exactly the headers, a valid signature', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver((_request, response) =>
    response.writeHead(202).end('thank you'),
  );
  // The next sweep is far away, so only the wake-up after the commit can send this delivery.
  world.createWorker({ sweepEveryMs: 3_600_000 }).start();
  await eventually('the worker to listen', async () => {
    const { rowCount } = await world.database.pool.query('select from deliveries.worker');
    return rowCount === 1;
  });
  const { endpointId, secret } = await world.createEndpoint(`${receiver.url}?a=1`);
  const enqueuedAt = Date.now();
  const deliveryId = await world.enqueue(endpointId, awkwardBody);
  const { path, headers, body } = await eventually('a request', () => receiver.received[0]);

  expect(path).toBe('/hook?a=1');
  expect(body.toString('utf8')).toBe(awkwardBody);
  expect(headers).toMatchObject({ 'content-type': 'application/json', 'user-agent': 'Service/1.0' });
  expect(Object.keys(headers).toSorted()).toEqual([
    'connection',
    'content-length',
    'content-type',
    'host',
    'user-agent',
    'webhook-id',
    'webhook-signature',
    'webhook-timestamp',
    'x-service-signature',
  ]);
  const hex = createHmac('sha256', secret).update(body).digest('hex');
  expect(headers['x-service-signature']).toBe(`sha256=${hex}`);
  expect(headers['webhook-id']).toBe(deliveryId);
  expect(() => new Webhook(secret).verify(body, headers as Record<string, string>)).not.toThrow();

  const delivery = await world.untilStatus(deliveryId, 'success');
  expect(delivery).toMatchObject({
    attempts: 1,
    attemptsMax: 3,
    responseCode: 202,
    responseSnippet: 'thank you',
    failure: null,
    nextAttemptAt: null,
    isRefire: false,
  });
  expect(delivery.attemptLog[0]!.responseHeaders).toMatchObject({ date: expect.stringMatching(/GMT$/) });
  expect(Date.parse(delivery.deliveredAt!)).toBeGreaterThanOrEqual(enqueuedAt);
  expect(receiver.received).toHaveLength(1);
});

test('a claim reads a delivery together with its endpoint as it is now', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { database, deliveries, write } = world;
  let reads = 0;
  const query: Query = (statement, values) => {
    if (statement.text.includes('sealed_secret')) reads += 1;
    return database.query(statement, values);
  };
  world.createWorker({ database: { ...database, query }, sweepEveryMs: 3_600_000 }).start();
  const { endpointId } = await world.createEndpoint(receiver.url);
  // The first sweep may claim this one, and sweeps read endpoints by themselves.
  await world.untilStatus(await world.enqueue(endpointId), 'success');
  let moves = 0;
  // On a busy machine what a claim has read may be too old when the delivery is sent. The endpoint is then read again.
  await eventually('a delivery whose endpoint was read by its claim only', async () => {
    moves += 1;
    await write((tx) => deliveries.moveEndpoint(tx, endpointId, `${receiver.url}/${moves}`));
    reads = 0;
    await world.untilStatus(await world.enqueue(endpointId), 'success');
    expect(receiver.received.at(-1)!.path).toBe(`/hook/${moves}`);
    return reads === 0;
  });
});

test('a transaction that is rolled back sends nothing', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const rolledBack = world.write(async (tx) => {
    await world.deliveries.enqueue(tx, [{ endpointId, eventType: 'registered', body: '"lost"' }]);
    throw new Error('changed my mind');
  });
  await expect(rolledBack).rejects.toThrow('changed my mind');
  const kept = await world.enqueue(endpointId, '"kept"');
  world.createWorker().start();
  await world.untilStatus(kept, 'success');
  expect(receiver.received.map(({ body }) => body.toString())).toEqual(['"kept"']);
});

test('all deliveries of one transaction arrive, each with the id of its draft', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const drafts = Array.from({ length: 300 }, (_, index) => ({
    endpointId,
    eventType: 'registered',
    body: `{"n":${index}}`,
    isRefire: index === 7,
  }));
  const ids = await world.write((tx) => world.deliveries.enqueue(tx, drafts));
  world.createWorker().start();
  await eventually(
    'an empty queue',
    async () => (await world.database.pool.query('select from deliveries.due')).rowCount === 0,
  );

  expect(receiver.received).toHaveLength(300);
  const bodyById = new Map(
    receiver.received.map(({ headers, body }) => [headers['webhook-id'], body.toString()]),
  );
  expect(ids.map((id) => bodyById.get(id))).toEqual(drafts.map((draft) => draft.body));
  const summaries = await world.deliveries.summaries(world.reader(), ids);
  expect(
    ids.every((id) => summaries.get(id)?.status === 'success' && summaries.get(id)?.attempts === 1),
  ).toBe(true);
  expect(await world.deliveries.get(world.reader(), { deliveryId: ids[7]! })).toMatchObject({
    isRefire: true,
  });
});

test('secrets are never stored in clear text, and can be read only by their own account', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId, secret } = await world.createEndpoint('https://example.com/hook');
  await world.enqueue(endpointId);
  const stored = await world.database.pool.query<{ text: string }>(
    `select endpoint::text as text from deliveries.endpoint union all select delivery::text from deliveries.delivery
     union all select body::text from deliveries.body`,
  );
  const text = stored.rows.map((row) => row.text).join('\n');
  expect(text).toContain(endpointId);
  expect(text).not.toContain('whsec_');
  expect(text).not.toContain(secret.slice('whsec_'.length, -4));

  expect(await world.deliveries.revealSecret(world.reader(), endpointId)).toBe(secret);
  const stranger = world.reader(crypto.randomUUID());
  await expect(world.deliveries.revealSecret(stranger, endpointId)).rejects.toMatchObject({
    code: 'endpoint_not_found',
  });
});
