import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

test('deleting an endpoint cancels its waiting deliveries, and none of them is sent', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const gone = await world.createEndpoint(receiver.url);
  const stays = await world.createEndpoint(receiver.url);
  const cancelled = await world.enqueue(gone.endpointId);
  const sent = await world.enqueue(stays.endpointId);
  await world.write((tx) => world.deliveries.deleteEndpoint(tx, gone.endpointId));
  world.createWorker().start();
  await world.untilStatus(sent, 'success');
  expect(await world.deliveries.get(world.reader(), { deliveryId: cancelled })).toMatchObject({
    status: 'cancelled',
    attempts: 0,
    nextAttemptAt: null,
  });
  expect(receiver.received).toHaveLength(1);
});

type End = (world: DeliveryWorld, endpointId: string) => Promise<unknown>;

/** Each with the deliveries that the call cancels. Workers cancel the others. */
const ways: [string, End, number][] = [
  ['deleted', ({ write, deliveries }, id) => write((tx) => deliveries.deleteEndpoint(tx, id)), 5000],
  [
    'switched off',
    ({ write, deliveries }, id) => write<unknown>((tx) => deliveries.setEnabled(tx, id, false)),
    5000,
  ],
  [
    'deleted with others',
    ({ write, deliveries }, id) => write((tx) => deliveries.deleteEndpoints(tx, [randomUUID(), id])),
    0,
  ],
];

test.each(ways)(
  'deliveries in flight when their endpoint is %s keep their attempt, and are not tried again',
  async (_how, end) => {
    await using world = await createDeliveryWorld();
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver((_request, response) => void open.push(response));
    const { endpointId } = await world.createEndpoint(receiver.url);
    world.createWorker().start();
    const failing = await world.enqueue(endpointId);
    await eventually('the first request', () => open.length === 1);
    const arriving = await world.enqueue(endpointId);
    await eventually('the second request', () => open.length === 2);
    await end(world, endpointId);
    open[0]!.writeHead(500).end();
    open[1]!.end('thank you');
    const cancelled = await world.untilStatus(failing, 'cancelled');
    expect(cancelled).toMatchObject({ responseCode: 500, attemptLog: [{ number: 1, responseCode: 500 }] });
    expect(await world.untilStatus(arriving, 'success')).toMatchObject({ attempts: 1 });
    expect(receiver.received).toHaveLength(2);
  },
);

/** More than one transaction cancels; half of them are parked. */
async function enqueueThousands({ write, deliveries, database }: DeliveryWorld, endpointId: string) {
  const drafts = Array.from({ length: 6000 }, () => ({ endpointId, eventType: 'registered', body: '{}' }));
  await write((tx) => deliveries.enqueue(tx, drafts));
  await database.pool.query(`update deliveries.due set due_at = 'infinity'`);
  await write((tx) => deliveries.enqueue(tx, drafts));
}

async function countDeliveries({ database }: DeliveryWorld) {
  const { rows } = await database.pool.query(`
    select (select count(*)::int from deliveries.due) as waiting,
      (select count(*)::int from deliveries.delivery where ended_as = 'cancelled') as cancelled,
      (select count(*)::int from deliveries.cancellation) as cancellations`);
  return rows[0];
}

test.each(ways)(
  'when an endpoint is %s, thousands of waiting deliveries are cancelled in steps, and none of them is sent',
  async (_how, end, cancelled) => {
    await using world = await createDeliveryWorld();
    await using receiver = await startReceiver();
    const { endpointId } = await world.createEndpoint(receiver.url);
    await enqueueThousands(world, endpointId);
    await end(world, endpointId);
    const waiting = 12_000 - cancelled;
    expect(await countDeliveries(world)).toEqual({ waiting, cancelled, cancellations: 1 });
    world.createWorker().start();
    await eventually('all of them to be cancelled', async () => {
      const left = await countDeliveries(world);
      return left.waiting + left.cancellations === 0;
    });
    expect(await countDeliveries(world)).toMatchObject({ cancelled: 12_000 });
    expect(receiver.received).toEqual([]);
  },
);

test('switching an endpoint off and on again sends none of the thousands of deliveries that waited', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  await enqueueThousands(world, endpointId);
  for (const isOn of [false, true])
    await world.write((tx) => world.deliveries.setEnabled(tx, endpointId, isOn));
  expect(await countDeliveries(world)).toEqual({ waiting: 0, cancelled: 12_000, cancellations: 0 });
  world.createWorker().start();
  await world.untilStatus(await world.enqueue(endpointId), 'success');
  expect(receiver.received).toHaveLength(1);
});

test('an account cannot list, read, delete or send to the endpoint of another account', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId);
  const { deliveries, database } = world;
  const accountId = randomUUID();
  const stranger = world.reader(accountId);

  await expect(deliveries.get(stranger, { deliveryId })).rejects.toMatchObject({
    code: 'delivery_not_found',
  });
  expect(await deliveries.summaries(stranger, [deliveryId])).toEqual(new Map());
  expect(await deliveries.endpoints(stranger, [endpointId])).toEqual(new Map());
  expect((await deliveries.list(stranger, { endpointId, limit: 10 })).data).toEqual([]);
  const asStranger = <Result>(work: (tx: Parameters<typeof deliveries.enqueue>[0]) => Promise<Result>) =>
    database.transaction((tx) => work({ ...tx, accountId, now: new Date() }));
  await expect(asStranger((tx) => deliveries.deleteEndpoint(tx, endpointId))).rejects.toMatchObject({
    code: 'endpoint_not_found',
  });
  const [foreign] = await asStranger((tx) =>
    deliveries.enqueue(tx, [{ endpointId, eventType: 'registered', body: '"foreign"' }]),
  );
  world.createWorker().start();
  await world.untilStatus(deliveryId, 'success');
  await eventually('the foreign delivery to be cancelled', async () => {
    return (await deliveries.summaries(stranger, [foreign!])).get(foreign!)?.status === 'cancelled';
  });
  expect(receiver.received.map(({ body }) => body.toString())).toEqual(['{}']);
});

test('with endpoint ids, a delivery is found only when its endpoint is among them', async () => {
  await using world = await createDeliveryWorld();
  const mine = await world.createEndpoint('https://example.com/a');
  const other = await world.createEndpoint('https://example.com/b');
  const deliveryId = await world.enqueue(mine.endpointId);
  const { deliveries } = world;
  expect((await deliveries.get(world.reader(), { deliveryId, endpointIds: [mine.endpointId] })).id).toBe(
    deliveryId,
  );
  for (const endpointIds of [[other.endpointId], []]) {
    const found = deliveries.get(world.reader(), { deliveryId, endpointIds });
    await expect(found).rejects.toMatchObject({ code: 'delivery_not_found' });
  }
  const endpoints = await deliveries.endpoints(world.reader(), [mine.endpointId]);
  expect(endpoints.get(mine.endpointId)).toMatchObject({ url: 'https://example.com/a' });
  expect(endpoints.get(mine.endpointId)!.secretLast4).toBe(mine.secret.slice(-4));
});
