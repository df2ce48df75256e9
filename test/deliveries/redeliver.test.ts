import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld } from './delivery-world.ts';

test('a finished delivery is sent again as a new one, only through its own endpoint, and does not change', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const other = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId, 'first');
  const redeliver = (through: string) =>
    world.write((tx) => world.deliveries.redeliver(tx, { deliveryId, endpointId: through }));

  world.createWorker().start();
  const original = await world.untilStatus(deliveryId, 'success');
  await expect(redeliver(other.endpointId)).rejects.toMatchObject({ code: 'delivery_not_found' });

  const { id, redeliveryOf } = await redeliver(endpointId);
  expect(redeliveryOf).toBe(deliveryId);
  expect(await world.untilStatus(id, 'success')).toMatchObject({
    body: 'first again',
    eventType: 'registered',
    isRefire: true,
    redeliveryOf: deliveryId,
    attempts: 1,
  });
  expect(await world.deliveries.get(world.reader(), { deliveryId })).toEqual(original);
  expect(original).toMatchObject({ isRefire: false, redeliveryOf: null });
  expect(receiver.received.map(({ body }) => body.toString())).toEqual(['first', 'first again']);
});

test('a delivery in flight when its endpoint is switched off keeps its attempt and is not tried again', async () => {
  await using world = await createDeliveryWorld();
  const open: ServerResponse[] = [];
  await using receiver = await startReceiver((_request, response) => void open.push(response));
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  const failing = await world.enqueue(endpointId);
  await eventually('the first request', () => open.length === 1);
  const arriving = await world.enqueue(endpointId);
  await eventually('the second request', () => open.length === 2);
  await world.write((tx) => world.deliveries.setEnabled(tx, endpointId, false));
  open[0]!.writeHead(500).end();
  open[1]!.end('thank you');

  const cancelled = await world.untilStatus(failing, 'cancelled');
  expect(cancelled.attemptLog).toMatchObject([{ number: 1, responseCode: 500 }]);
  expect(await world.untilStatus(arriving, 'success')).toMatchObject({ attempts: 1 });
  await world.write((tx) => world.deliveries.setEnabled(tx, endpointId, true));
  const next = await world.enqueue(endpointId);
  await eventually('the third request', () => open.length === 3);
  open[2]!.end();
  await world.untilStatus(next, 'success');
});

test('a new URL and a new secret are used from the next attempt on', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 600] });
  await using broken = await startReceiver((_request, response) => response.writeHead(500).end());
  await using receiver = await startReceiver();
  const { endpointId, secret } = await world.createEndpoint(broken.url);
  const deliveryId = await world.enqueue(endpointId);
  world.createWorker().start();
  await world.untilStatus(deliveryId, 'retrying');
  const rotated = await world.write(async (tx) => {
    await world.deliveries.moveEndpoint(tx, endpointId, receiver.url);
    return world.deliveries.rotateSecret(tx, endpointId);
  });
  expect(rotated.secret).not.toBe(secret);
  expect(await world.deliveries.revealSecret(world.reader(), endpointId)).toBe(rotated.secret);
  const endpoints = await world.deliveries.endpoints(world.reader(), [endpointId]);
  expect(endpoints.get(endpointId)).toMatchObject({
    url: receiver.url,
    secretLast4: rotated.secret.slice(-4),
  });
  await world.database.pool.query('update deliveries.due set due_at = now()');
  await world.untilStatus(deliveryId, 'success');
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]!.headers['x-service-signature']).not.toBe(
    broken.received[0]!.headers['x-service-signature'],
  );
});
