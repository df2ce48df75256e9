// No delivery waits for the receiver of another endpoint.
import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { writeAs } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

const drafts = (endpointId: string, count: number) =>
  Array.from({ length: count }, (_, index) => ({ endpointId, eventType: 'registered', body: `${index}` }));

/** The same world for another account. */
function createTenant({ database, deliveries }: DeliveryWorld) {
  const accountId = randomUUID();
  const write: DeliveryWorld['write'] = (work) => writeAs(database, accountId, work);
  return {
    createEndpoint: (url: string) => write((tx) => deliveries.createEndpoint(tx, { url, enabled: true })),
    enqueue: (endpointId: string, count: number) =>
      write((tx) => deliveries.enqueue(tx, drafts(endpointId, count))),
  };
}

test('receivers that hang take no more than their slots, and deliveries to others are sent while they hang', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0] });
  const open: ServerResponse[] = [];
  await using hanging = await startReceiver((_request, response) => void open.push(response));
  await using healthy = await startReceiver();
  for (let index = 0; index < 10; index += 1) {
    const { endpointId } = await world.createEndpoint(hanging.url);
    await world.write((tx) => world.deliveries.enqueue(tx, drafts(endpointId, 20)));
  }
  const worker = world.createWorker({ timeoutMs: 60_000 });
  worker.start();
  // One account gets half of the eight slots of each kind.
  await eventually('the hanging attempts to have all their slots', () => worker.inFlight().slow === 4);
  const modest = createTenant(world);
  const { endpointId } = await modest.createEndpoint(healthy.url);
  await modest.enqueue(endpointId, 200);
  await eventually('all deliveries of the other account', () => healthy.received.length === 200);
  expect(open.length).toBeLessThanOrEqual(12);
  for (const response of open) response.end();
});

test('a worker starts few attempts in one turn of its event loop, so that others need not wait for all of them', async ({
  onTestFinished,
}) => {
  await using world = await createDeliveryWorld();
  const open: ServerResponse[] = [];
  await using receiver = await startReceiver((_request, response) => void open.push(response));
  for (let index = 0; index < 60; index += 1) {
    const { endpointId } = await world.createEndpoint(receiver.url);
    await world.write((tx) => world.deliveries.enqueue(tx, drafts(endpointId, 1)));
  }
  const worker = world.createWorker({ concurrency: 128 });
  let [inFlight, mostInATurn, isOver] = [0, 0, false];
  onTestFinished(() => void (isOver = true));
  const look = (): void => {
    const { fast } = worker.inFlight();
    mostInATurn = Math.max(mostInATurn, fast - inFlight);
    inFlight = fast;
    if (!isOver) setImmediate(look);
  };
  worker.start();
  look();
  await eventually('all attempts', () => open.length === 60);
  // Eight after a tick, after a claim and after these, before this test looks again.
  expect(mostInATurn).toBeLessThanOrEqual(24);
  for (const response of open) response.end();
});

test('deliveries to other endpoints do not wait behind a flood for one endpoint', async () => {
  await using world = await createDeliveryWorld();
  let floodServed = 0;
  await using flooded = await startReceiver((_request, response) => {
    floodServed += 1;
    setTimeout(() => response.end(), 5);
  });
  await using calm = await startReceiver();
  const flood = createTenant(world);
  const { endpointId: floodedId } = await flood.createEndpoint(flooded.url);
  for (let batch = 0; batch < 5; batch += 1) await flood.enqueue(floodedId, 1000);
  world.createWorker().start();
  await eventually('the flood to begin', () => floodServed > 0);
  const modest = createTenant(world);
  const { endpointId } = await modest.createEndpoint(calm.url);
  await modest.enqueue(endpointId, 20);
  await eventually('the deliveries of the other account', () => calm.received.length === 20);
  // Most of the flood still waits, so the other deliveries were not behind it.
  expect(floodServed).toBeLessThan(4000);
});

test('each delivery of many accounts and endpoints arrives once from two workers at their limits', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver(
    (_request, response) => void setTimeout(() => response.end(), 1),
  );
  let expected = 0;
  for (let index = 0; index < 8; index += 1) {
    const tenant = createTenant(world);
    for (let endpoint = 0; endpoint < 5; endpoint += 1) {
      const { endpointId } = await tenant.createEndpoint(receiver.url);
      const count = 5 + 40 * ((index + endpoint) % 4);
      await tenant.enqueue(endpointId, count);
      expected += count;
    }
  }
  const attempts = [0, 0];
  for (const worker of [0, 1]) {
    const observer = { attempted: () => void (attempts[worker]! += 1) };
    world.createWorker({ concurrency: 4, observer }).start();
  }
  await eventually('an empty queue', async () => {
    return (await world.database.pool.query('select from deliveries.due')).rowCount === 0;
  });
  const ids = receiver.received.map(({ headers }) => headers['webhook-id']);
  expect(ids).toHaveLength(expected);
  expect(new Set(ids).size).toBe(expected);
  expect(Math.min(...attempts)).toBeGreaterThan(0);
});

test('first tries go before retries, and retries are sent too', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 0] });
  const order: string[] = [];
  await using receiver = await startReceiver((request, response) => {
    order.push(request.headers['webhook-id'] as string);
    response.end();
  });
  const { endpointId: retried } = await world.createEndpoint(receiver.url);
  const { endpointId: fresh } = await world.createEndpoint(receiver.url);
  const retries = await world.write((tx) => world.deliveries.enqueue(tx, drafts(retried, 30)));
  await world.database.pool.query(
    `update deliveries.due set attempts = 1, tries = 1, due_at = now() - interval '1 hour'`,
  );
  const firsts = await world.write((tx) => world.deliveries.enqueue(tx, drafts(fresh, 30)));
  world.createWorker({ concurrency: 4 }).start();
  await eventually('all of them', () => order.length === 60);
  expect(new Set(order)).toEqual(new Set([...retries, ...firsts]));
  const firstPlace = order.findIndex((id) => retries.includes(id));
  expect(firstPlace).toBeGreaterThan(0);
});

test('after a 429 nothing is sent to the endpoint until Retry-After, and deliveries to others are sent', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 1] });
  await using busy = await startReceiver((_request, response) => {
    if (busy.received.length > 1) response.end();
    else response.writeHead(429, { 'retry-after': '2' }).end();
  });
  await using calm = await startReceiver();
  const { endpointId: busyId } = await world.createEndpoint(busy.url);
  const { endpointId: calmId } = await world.createEndpoint(calm.url);
  world.createWorker().start();
  const putOff = await world.enqueue(busyId);
  await world.untilStatus(putOff, 'retrying');
  const behind = await world.enqueue(busyId);
  await world.untilStatus(await world.enqueue(calmId), 'success');
  expect(busy.received).toHaveLength(1);
  for (const id of [putOff, behind]) await world.untilStatus(id, 'success');
  const [first, second] = busy.received;
  expect(second!.at - first!.at).toBeGreaterThanOrEqual(1900);
  expect(await world.deliveries.get(world.reader(), { deliveryId: putOff })).toMatchObject({ attempts: 2 });
});

test('a Retry-After of the former URL does not delay deliveries to a new URL', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 3600] });
  const open: ServerResponse[] = [];
  await using former = await startReceiver((_request, response) => {
    if (former.received.length > 1) open.push(response);
    else response.writeHead(429, { 'retry-after': '3600' }).end();
  });
  await using next = await startReceiver();
  const resting = await world.createEndpoint(former.url);
  world.createWorker().start();
  const putOff = await world.enqueue(resting.endpointId);
  await world.untilStatus(putOff, 'retrying');
  const move = (endpointId: string) =>
    world.write((tx) => world.deliveries.moveEndpoint(tx, endpointId, next.url));
  await move(resting.endpointId);
  await world.untilStatus(await world.enqueue(resting.endpointId), 'success');

  // The same for an answer of the former URL that comes after the change.
  const hanging = await world.createEndpoint(former.url);
  const late = await world.enqueue(hanging.endpointId);
  await eventually('the request', () => open.length === 1);
  await move(hanging.endpointId);
  await world.untilStatus(await world.enqueue(hanging.endpointId), 'success');
  open[0]!.writeHead(429, { 'retry-after': '3600' }).end();
  await world.untilStatus(late, 'retrying');
  await world.untilStatus(await world.enqueue(hanging.endpointId), 'success');
  expect(former.received).toHaveLength(2);
});
