// An endpoint that fails is shown as failing, then paused and probed until it answers again.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { countWaiting } from '../support/lock-rows.ts';
import { startReceiver } from '../support/receiver.ts';
import {
  createPaused,
  createWorld,
  enqueueMany,
  enqueueParked,
  healthOf,
  noticesOf,
  pauseByFailures,
  probeNow,
  startFailingReceiver,
  untilHealth,
  untilTried,
} from './health-world.ts';

test('twenty failures within five minutes do not pause an endpoint', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  for (const id of await enqueueMany(world, endpointId, 40)) await world.untilStatus(id, 'retrying');
  await eventually(
    'all failures to be recorded',
    async () => (await healthOf(world, endpointId)).failuresInARow === 40,
  );
  expect((await healthOf(world, endpointId)).status).toBe('failing');
});

test('failures that two workers record at the same time are all counted', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver();
  const { pool } = world.database;
  const { endpointId } = await world.createEndpoint(receiver.url);
  await pool.query(
    `insert into deliveries.endpoint_health (endpoint_id, account_id, state, failures, since, probes, drain_rate)
     values ($1, $2, 'failing', 5, now(), 0, 0)`,
    [endpointId, world.accountId],
  );
  const other = await pool.connect();
  try {
    await other.query('begin; update deliveries.endpoint_health set failures = failures + 10');
    world.createWorker().start();
    await world.untilStatus(await world.enqueue(endpointId), 'retrying');
    await eventually(
      'the worker to wait for the row',
      async () => (await countWaiting(pool, '%endpoint_health%')) === 1,
    );
  } finally {
    await other.query('commit');
    other.release();
  }
  await eventually('all failures', async () => (await healthOf(world, endpointId)).failuresInARow === 16);
});

test('deliveries to a paused endpoint are parked, keep their tries and show the time of the next probe', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  await pauseByFailures(world, receiver, endpointId);
  const parked = await enqueueParked(world, endpointId);
  const sentBefore = receiver.received.length;
  const { nextProbeAt } = await healthOf(world, endpointId);
  expect(await world.deliveries.get(world.reader(), { deliveryId: parked })).toMatchObject({
    status: 'queued',
    attempts: 0,
    triesLeft: 3,
    nextAttemptAt: nextProbeAt,
  });
  expect(Date.parse(nextProbeAt!)).toBeGreaterThan(Date.now() + 30_000);
  await enqueueParked(world, endpointId);
  expect(receiver.received).toHaveLength(sentBefore);
  expect(await noticesOf(world, endpointId)).toEqual(['paused']);
});

test('a probe is one real delivery; a failed probe spends no try, and the next one comes later', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  await pauseByFailures(world, receiver, endpointId);
  const oldest = await enqueueParked(world, endpointId);
  const newest = await enqueueParked(world, endpointId);
  const sentBefore = receiver.received.length;
  for (const deliveryId of [oldest, newest]) {
    await probeNow(world, endpointId);
    await untilTried(world, deliveryId);
    expect(await world.deliveries.get(world.reader(), { deliveryId })).toMatchObject({
      status: 'retrying',
      triesLeft: 3,
    });
  }
  expect(receiver.received).toHaveLength(sentBefore + 2);
  const { status, nextProbeAt } = await healthOf(world, endpointId);
  expect(status).toBe('paused');
  expect(Date.parse(nextProbeAt!)).toBeGreaterThan(Date.now() + 90_000);
});

test('a delivery that its receiver always refuses does not keep an endpoint paused that answers again', async () => {
  await using world = await createWorld();
  let isDown = true;
  await using receiver = await startReceiver((_request, response) => {
    const isRefused = receiver.received.at(-1)!.body.includes('refused');
    response.writeHead(isDown ? 410 : isRefused ? 400 : 200).end();
  });
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  await world.untilStatus(await world.enqueue(endpointId), 'retrying');
  await untilHealth(world, endpointId, 'paused');
  const refused = await enqueueParked(world, endpointId, '{"name":"refused"}');
  const accepted = await enqueueParked(world, endpointId);
  isDown = false;
  await probeNow(world, endpointId);
  await untilTried(world, refused);
  await probeNow(world, endpointId);
  await world.untilStatus(accepted, 'success');
  await untilHealth(world, endpointId, 'healthy');
  expect(await noticesOf(world, endpointId)).toEqual(['paused', 'recovered']);
});

test('a successful probe releases all parked deliveries, and the owners get a notice', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  await pauseByFailures(world, receiver, endpointId);
  const first = await enqueueParked(world, endpointId);
  const sentBefore = receiver.received.length;
  // More than is released in the first second.
  const parked = [first, ...(await enqueueMany(world, endpointId, 59))];
  await eventually('all to be parked', async () => {
    const { rows } = await world.database.pool.query(`select from deliveries.due where due_at = 'infinity'`);
    return rows.length === 60;
  });
  receiver.repair();
  await probeNow(world, endpointId);
  for (const id of parked) await world.untilStatus(id, 'success');
  await untilHealth(world, endpointId, 'healthy');
  expect(await noticesOf(world, endpointId)).toEqual(['paused', 'recovered']);
  await eventually('its row to be deleted', async () => {
    return (await world.database.pool.query('select from deliveries.endpoint_health')).rowCount === 0;
  });
  expect(receiver.received).toHaveLength(sentBefore + 60);
});

test('429 does not change the health of an endpoint', async () => {
  await using world = await createWorld();
  await using busy = await startFailingReceiver((_request, response) => response.writeHead(429).end());
  const busyId = (await world.createEndpoint(busy.url)).endpointId;
  world.createWorker().start();
  for (const id of await enqueueMany(world, busyId, 6)) await world.untilStatus(id, 'retrying');
  expect(await healthOf(world, busyId)).toMatchObject({ status: 'healthy' });
  const { rowCount } = await world.database.pool.query(
    'select from deliveries.endpoint_health where endpoint_id = $1',
    [busyId],
  );
  expect(rowCount).toBe(0);
});

test('parked deliveries go to a new URL at once, and are cancelled when the endpoint is switched off', async () => {
  await using world = await createWorld();
  await using gone = await startFailingReceiver((_request, response) => response.writeHead(410).end());
  await using better = await startReceiver();
  const { endpointId } = await world.createEndpoint(gone.url);
  const other = await world.createEndpoint(gone.url);
  world.createWorker().start();
  for (const id of [endpointId, other.endpointId]) {
    await world.untilStatus(await world.enqueue(id), 'retrying');
    await untilHealth(world, id, 'paused');
  }
  const moved = await world.enqueue(endpointId);
  const cancelled = await world.enqueue(other.endpointId);
  await eventually('both to be parked', async () => {
    return (
      (await world.database.pool.query(`select from deliveries.due where due_at = 'infinity'`)).rowCount === 2
    );
  });
  await world.write(async (tx) => {
    await world.deliveries.moveEndpoint(tx, endpointId, better.url);
    await world.deliveries.setEnabled(tx, other.endpointId, false);
  });
  await world.untilStatus(moved, 'success');
  await world.untilStatus(cancelled, 'cancelled');
  expect(better.received).toHaveLength(1);
  expect(await healthOf(world, other.endpointId)).toMatchObject({ status: 'healthy' });
});

test('an account cannot have the endpoint of another account probed', async () => {
  await using world = await createWorld();
  const { receiver, endpointId, nextProbeAt } = await createPaused(world);
  await using _receiver = receiver;
  await world.database.transaction((tx) =>
    world.deliveries.probe({ ...tx, accountId: crypto.randomUUID(), now: new Date() }, endpointId),
  );
  expect((await healthOf(world, endpointId)).nextProbeAt).toBe(nextProbeAt);
});

test('a probe by hand sends the next delivery, even if it is not due yet', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver((_request, response) => response.writeHead(410).end());
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  const deliveryId = await world.enqueue(endpointId);
  await world.untilStatus(deliveryId, 'retrying');
  await untilHealth(world, endpointId, 'paused');
  receiver.repair();
  await probeNow(world, endpointId);
  await world.untilStatus(deliveryId, 'success');
  await untilHealth(world, endpointId, 'healthy');
});

test('a delivery that was parked at the moment of its endpoint’s recovery is released', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId);
  await world.database.pool.query(`update deliveries.due set due_at = 'infinity'`);
  world.createWorker({ seldomEveryMs: 100 }).start();
  await world.untilStatus(deliveryId, 'success');
});

test('an endpoint that has been paused for weeks is still probed every hour', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver((_request, response) => response.writeHead(410).end());
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  await world.untilStatus(await world.enqueue(endpointId), 'retrying');
  await untilHealth(world, endpointId, 'paused');
  await enqueueParked(world, endpointId);
  const sentBefore = receiver.received.length;
  await world.database.pool.query('update deliveries.endpoint_health set probes = 100, probe_at = now()');
  await eventually('the probe', () => receiver.received.length > sentBefore);
  const { nextProbeAt } = await healthOf(world, endpointId);
  const waitMs = Date.parse(nextProbeAt!) - Date.now();
  expect(waitMs).toBeGreaterThan(50 * 60_000);
  expect(waitMs).toBeLessThanOrEqual(3_600_000);
});

test('a delivery whose probe fails after its endpoint has recovered is sent', async () => {
  await using world = await createWorld();
  const open: ServerResponse[] = [];
  let isGone = true;
  await using former = await startReceiver((_request, response) => {
    if (isGone) response.writeHead(410).end();
    else open.push(response);
  });
  await using next = await startReceiver();
  const { endpointId } = await world.createEndpoint(former.url);
  world.createWorker({ seldomEveryMs: 100 }).start();
  await world.untilStatus(await world.enqueue(endpointId), 'retrying');
  await untilHealth(world, endpointId, 'paused');
  const probed = await enqueueParked(world, endpointId);
  isGone = false;
  await probeNow(world, endpointId);
  await eventually('the probe', () => open.length === 1);
  await world.write((tx) => world.deliveries.moveEndpoint(tx, endpointId, next.url));
  await eventually('the endpoint to have recovered', async () => {
    return (await world.database.pool.query('select from deliveries.endpoint_health')).rowCount === 0;
  });
  open[0]!.writeHead(500).end();
  await world.untilStatus(probed, 'success');
});
