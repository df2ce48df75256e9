import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import {
  createWorld,
  enqueueParked,
  healthOf,
  noticesOf,
  startFailingReceiver,
  untilHealth,
} from './health-world.ts';

async function sendTest(world: DeliveryWorld, endpointId: string): Promise<string> {
  const draft = { endpointId, eventType: 'registered', body: '{}', isTest: true };
  const [id] = await world.write((tx) => world.deliveries.enqueue(tx, [draft]));
  return id!;
}

/** An endpoint that was paused for `gone`, and a delivery that waits for it. */
async function pause(world: DeliveryWorld, url: string) {
  const { endpointId } = await world.createEndpoint(url);
  await world.enqueue(endpointId);
  await untilHealth(world, endpointId, 'paused');
  return { endpointId, parked: await enqueueParked(world, endpointId) };
}

test.each([
  ['an error', 500],
  ['a request to come later', 429],
  ['gone', 410],
])('a test that is answered with %s has failed after one try', async (_, status) => {
  await using world = await createWorld();
  await using receiver = await startReceiver((_request, response) =>
    response.writeHead(status, { 'retry-after': '1' }).end(),
  );
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  const id = await sendTest(world, endpointId);
  expect(await world.untilStatus(id, 'failure')).toMatchObject({
    attempts: 1,
    attemptsMax: 1,
    triesLeft: 0,
    responseCode: status,
    durationMs: expect.any(Number),
    nextAttemptAt: null,
  });
  expect((await world.deliveries.waiting(world.reader(), endpointId)).count).toBe(0);
});

test('a test of a paused endpoint is sent at once and fails, and the other deliveries stay parked', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver((_request, response) => response.writeHead(410).end());
  world.createWorker().start();
  const { endpointId, parked } = await pause(world, receiver.url);
  const { failuresInARow: before } = await healthOf(world, endpointId);
  await world.untilStatus(await sendTest(world, endpointId), 'failure');
  await eventually(
    'the failure to be counted',
    async () => (await healthOf(world, endpointId)).failuresInARow === before + 1,
  );
  expect((await world.deliveries.get(world.reader(), { deliveryId: parked })).attempts).toBe(0);
});

test('a test that a paused endpoint accepts ends the pause, and what waited is sent', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver((_request, response) => response.writeHead(410).end());
  world.createWorker().start();
  const { endpointId, parked } = await pause(world, receiver.url);
  receiver.repair();
  await world.untilStatus(await sendTest(world, endpointId), 'success');
  await world.untilStatus(parked, 'success');
  await untilHealth(world, endpointId, 'healthy');
});

test('after its first failed try an endpoint shows one failure and its reason, and none after a success', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver((_request, response) => response.writeHead(503).end());
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  const untilFailures = (count: number) =>
    eventually(`${count} failures to be shown`, async () => {
      const health = await healthOf(world, endpointId);
      return health.failuresInARow === count && health;
    });
  for (const [count, status] of [
    [1, 'healthy'],
    [2, 'healthy'],
    [3, 'failing'],
  ] as const) {
    await world.enqueue(endpointId);
    expect(await untilFailures(count)).toEqual({
      status,
      failuresInARow: count,
      since: expect.any(String),
      nextProbeAt: null,
      lastFailure: 'http_status',
      lastResponseCode: 503,
      untriedSinceChange: false,
    });
  }
  receiver.repair();
  await world.enqueue(endpointId);
  expect(await untilFailures(0)).toMatchObject({ status: 'healthy', since: null, lastFailure: null });
  expect(await noticesOf(world, endpointId)).toEqual([]);
});
