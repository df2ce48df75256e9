import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

test('the sweep sends a delivery whose wake-up was lost', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  /** Like a process that dies between its commit and the wake-up. */
  const enqueueWithoutWakeUp = async (): Promise<string> => {
    const draft = { endpointId, eventType: 'registered', body: '{}' };
    const [id] = await world.write((tx) =>
      world.deliveries.enqueue({ ...tx, afterCommit: () => undefined }, [draft]),
    );
    return id!;
  };
  // A worker scans the queue once when it starts. After the first delivery that scan is over.
  const first = await enqueueWithoutWakeUp();
  world.createWorker().start();
  await world.untilStatus(first, 'success');
  await world.untilStatus(await enqueueWithoutWakeUp(), 'success');
});

test('a claim without a living worker is sent again when its lease ends, and not before', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId);
  const beforeLease = Date.now();
  await leaseToUnknownWorker(world, 0.4);
  world.createWorker().start();
  await world.untilStatus(deliveryId, 'success');
  expect(receiver.received).toHaveLength(1);
  expect(receiver.received[0]!.at - beforeLease).toBeGreaterThanOrEqual(399);
});

test.each([200, 500])(
  'an answer %i that comes after its lease has passed to another worker changes nothing',
  async (status) => {
    await using world = await createDeliveryWorld();
    const open: ServerResponse[] = [];
    await using receiver = await startReceiver((_request, response) => void open.push(response));
    const { endpointId } = await world.createEndpoint(receiver.url);
    const deliveryId = await world.enqueue(endpointId);
    const slow = world.createWorker();
    slow.start();
    await eventually('the request', () => open.length === 1);
    await leaseToUnknownWorker(world, 60);
    open[0]!.writeHead(status).end('too late');
    await slow.stop();

    const delivery = await world.deliveries.get(world.reader(), { deliveryId });
    expect(delivery).toMatchObject({ status: 'delivering', attempts: 0, responseCode: null, attemptLog: [] });
  },
);

test('a refusal that comes after another worker has sent the delivery as well changes nothing', async () => {
  await using world = await createDeliveryWorld();
  const open: ServerResponse[] = [];
  await using receiver = await startReceiver((_request, response) => void open.push(response));
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId);
  const slow = world.createWorker();
  slow.start();
  await eventually('the request', () => open.length === 1);
  const stopped = slow.stop();
  await world.database.pool.query('update deliveries.due set claim = null, leased_until = null');
  world.createWorker().start();
  await eventually('the request of the other worker', () => open.length === 2);
  open[1]!.end();
  await world.untilStatus(deliveryId, 'success');
  open[0]!.writeHead(500).end();
  await stopped;
  const delivery = await world.deliveries.get(world.reader(), { deliveryId });
  expect(delivery).toMatchObject({ status: 'success', attempts: 1, responseCode: 200 });
  expect(receiver.received).toHaveLength(2);
});

test('a result that the database refuses does not delay the others', async () => {
  await using world = await createDeliveryWorld();
  await world.database.pool.query('alter table deliveries.attempt add check (response_code <> 418)');
  await using receiver = await startReceiver((request, response) => {
    response.writeHead(request.url === '/teapot' ? 418 : 200).end();
  });
  const good = await world.createEndpoint(receiver.url);
  const bad = await world.createEndpoint(receiver.url.replace('/hook', '/teapot'));
  const drafts = [good, good, bad, good].map(({ endpointId }) => ({
    endpointId,
    eventType: 'registered',
    body: '{}',
  }));
  const ids = await world.write((tx) => world.deliveries.enqueue(tx, drafts));
  world.createWorker().start();
  for (const id of [ids[0], ids[1], ids[3]]) await world.untilStatus(id!, 'success');
  expect(await world.deliveries.get(world.reader(), { deliveryId: ids[2]! })).toMatchObject({ attempts: 0 });
});

test('stopping waits for attempts in flight, records them, and gives the other deliveries back unsent', async () => {
  await using world = await createDeliveryWorld();
  const open: ServerResponse[] = [];
  await using receiver = await startReceiver((_request, response) => void open.push(response));
  const { endpointId } = await world.createEndpoint(receiver.url);
  const ids = await Promise.all(Array.from({ length: 3 }, () => world.enqueue(endpointId)));
  const worker = world.createWorker({ concurrency: 4 });
  worker.start();
  await eventually('two requests', () => open.length === 2);
  const stopped = worker.stop();
  for (const response of open) response.end();
  await stopped;

  const summaries = await world.deliveries.summaries(world.reader(), ids);
  const statuses = ids.map((id) => summaries.get(id)!.status).toSorted();
  expect(statuses).toEqual(['queued', 'success', 'success']);
  expect(receiver.received).toHaveLength(2);
});

test('a delivery that waits behind hanging attempts goes to another worker', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0] });
  const open: ServerResponse[] = [];
  await using stuck = await startReceiver((_request, response) => void open.push(response));
  await using healthy = await startReceiver();
  const { endpointId: stuckId } = await world.createEndpoint(stuck.url);
  const { endpointId: healthyId } = await world.createEndpoint(healthy.url);
  await world.enqueue(stuckId);
  const busy = world.createWorker({ concurrency: 2, timeoutMs: 60_000, leaseMarginMs: 200 });
  busy.start();
  await eventually('the hanging attempt', () => open.length === 1);
  const waiting = await world.enqueue(healthyId);
  await eventually('the other delivery to be claimed', async () => {
    const summaries = await world.deliveries.summaries(world.reader(), [waiting]);
    return summaries.get(waiting)?.status === 'delivering';
  });
  world.createWorker().start();
  await world.untilStatus(waiting, 'success');
  for (const response of open) response.end();
});

/** Leases every waiting delivery to a worker that is not in the table of workers. */
async function leaseToUnknownWorker({ database }: DeliveryWorld, seconds: number): Promise<void> {
  await database.pool.query(
    `update deliveries.due set claim = $1, leased_until = now() + make_interval(secs => $2)`,
    [randomUUID(), seconds],
  );
}

test('a claim whose answer was lost is released by the next sweep, not when its lease ends', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { pool } = world.database;
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId);
  // The delivery can be claimed and its body cannot be read, as when the connection breaks in between.
  await pool.query('alter table deliveries.body rename column body to hidden');
  world.createWorker({ timeoutMs: 60_000 }).start();
  await eventually('a claim', async () => {
    return (await pool.query('select from deliveries.due where worker is not null')).rowCount === 1;
  });
  await pool.query('alter table deliveries.body rename column hidden to body');
  await world.untilStatus(deliveryId, 'success');
  expect(receiver.received).toHaveLength(1);
});
