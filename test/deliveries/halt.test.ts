import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { createPaused, createWorld, enqueueMany, enqueueParked, healthOf, probeNow } from './health-world.ts';

const setHalted = (world: DeliveryWorld, endpointId: string, halted: boolean) =>
  world.write((tx) => world.deliveries.setHalted(tx, endpointId, halted));

const isHalted = async ({ deliveries, reader }: DeliveryWorld, endpointId: string) =>
  (await deliveries.endpoints(reader(), [endpointId])).get(endpointId)!.halted;

const untilParked = (world: DeliveryWorld, count: number) =>
  eventually('all of them to be parked', async () => {
    const { rows } = await world.database.pool.query<{ count: number }>(
      `select count(*)::int from deliveries.due where due_at = 'infinity'`,
    );
    return rows[0]!.count === count;
  });

test('a halted endpoint gets only tests, also after a probe by hand, a call to send what waits and a new URL; resumed, it gets what waits', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  await using moved = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  await setHalted(world, endpointId, true);
  expect(await isHalted(world, endpointId)).toBe(true);
  const ids = await enqueueMany(world, endpointId, 30);
  await untilParked(world, 30);

  const [testId] = await world.write((tx) =>
    world.deliveries.enqueue(tx, [{ endpointId, eventType: 'registered', body: '{}', isTest: true }]),
  );
  await world.untilStatus(testId!, 'success');
  await probeNow(world, endpointId);
  await expect(world.write((tx) => world.deliveries.sendWaiting(tx, endpointId))).rejects.toMatchObject({
    code: 'endpoint_halted',
  });
  await world.write((tx) => world.deliveries.moveEndpoint(tx, endpointId, moved.url));
  await setHalted(world, endpointId, true);
  const late = await enqueueMany(world, endpointId, 1);
  await untilParked(world, 31);
  expect([receiver.received.length, moved.received.length]).toEqual([1, 0]);
  expect(await healthOf(world, endpointId)).toMatchObject({ status: 'healthy', nextProbeAt: null });

  await setHalted(world, endpointId, false);
  expect(await isHalted(world, endpointId)).toBe(false);
  for (const id of [...ids, ...late]) await world.untilStatus(id, 'success');
  expect(moved.received).toHaveLength(31);
});

test('an endpoint that is halted while it is paused is not probed until it is resumed', async () => {
  await using world = await createWorld();
  const { receiver, endpointId } = await createPaused(world);
  await using _receiver = receiver;
  const parked = await enqueueParked(world, endpointId);
  await setHalted(world, endpointId, true);
  const before = receiver.received.length;
  receiver.repair();
  await world.database.pool.query(
    `update deliveries.endpoint_health set probe_at = now() where endpoint_id = $1`,
    [endpointId],
  );
  await probeNow(world, endpointId);
  // A delivery of another endpoint is claimed after a probe that is due.
  await using other = await startReceiver();
  const beside = await world.createEndpoint(other.url);
  await world.untilStatus(await world.enqueue(beside.endpointId), 'success');
  expect(receiver.received).toHaveLength(before);
  await setHalted(world, endpointId, false);
  await world.untilStatus(parked, 'success');
});

test('switching off a halted endpoint cancels what it kept, counts it, and ends the halt', async () => {
  await using world = await createWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  await setHalted(world, endpointId, true);
  const before = new Date(Date.now() - 1000);
  await enqueueMany(world, endpointId, 3);
  const cancelled = await world.write((tx) => world.deliveries.setEnabled(tx, endpointId, false));
  expect(cancelled).toMatchObject({ count: 3, isCountCapped: false });
  expect(Date.parse(cancelled!.oldestCreatedAt!)).toBeGreaterThan(before.getTime());
  expect(await world.write((tx) => world.deliveries.setEnabled(tx, endpointId, true))).toBeNull();
  expect(await isHalted(world, endpointId)).toBe(false);
  expect(await world.write((tx) => world.deliveries.setEnabled(tx, endpointId, false))).toEqual({
    count: 0,
    isCountCapped: false,
    oldestCreatedAt: null,
  });
});
