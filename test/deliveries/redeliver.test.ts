import { expect, test } from 'vitest';
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
