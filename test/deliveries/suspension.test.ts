import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { deliveriesModule } from '@service/deliveries';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { writeAs } from '../support/factories.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

const { accountSuspended, accountResumed } = deliveriesModule.subscribers.suspension;
const suspend = (world: DeliveryWorld) => world.write(accountSuspended);
const resume = (world: DeliveryWorld) => world.write(accountResumed);

/** The number of the account's deliveries that are parked. */
async function parked({ database, accountId }: DeliveryWorld): Promise<number> {
  const { rows } = await database.pool.query<{ count: number }>(
    `select count(*)::int as count from deliveries.due where account_id = $1 and due_at = 'infinity'`,
    [accountId],
  );
  return rows[0]!.count;
}

/** Sends five deliveries for another account. When all have arrived, workers have scanned the queue again. */
async function untilOthersAreServed(world: DeliveryWorld): Promise<void> {
  await using receiver = await startReceiver();
  const { database, deliveries } = world;
  await writeAs(database, randomUUID(), async (tx) => {
    const { endpointId } = await deliveries.createEndpoint(tx, { url: receiver.url, enabled: true });
    const draft = { endpointId, eventType: 'registered', body: '{}' };
    return deliveries.enqueue(tx, [draft, draft, draft, draft, draft]);
  });
  await eventually('the deliveries of another account', () => receiver.received.length === 5);
}

const idsOf = ({ received }: Receiver): string[] =>
  received.map(({ headers }) => String(headers['webhook-id']));

test('nothing is sent for a suspended account, and after it is resumed each of its deliveries is sent once', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const before = await world.enqueue(endpointId);
  await suspend(world);
  await suspend(world);
  const taken: number[] = [];
  const observer = { claimed: ({ count }: { count: number }) => void taken.push(count) };
  const workers = [world.createWorker({ observer }), world.createWorker({ observer })];
  for (const worker of workers) worker.start();
  const during = await Promise.all(Array.from({ length: 30 }, () => world.enqueue(endpointId)));
  await eventually('everything to be parked', async () => (await parked(world)) === 31);
  await untilOthersAreServed(world);
  expect(receiver.received).toEqual([]);
  expect(taken.reduce((sum, count) => sum + count, 0)).toBe(5);
  const { status, nextAttemptAt } = await world.deliveries.get(world.reader(), { deliveryId: before });
  expect({ status, nextAttemptAt }).toEqual({ status: 'queued', nextAttemptAt: null });

  await resume(world);
  await resume(world);
  for (const id of [before, ...during]) await world.untilStatus(id, 'success');
  expect(idsOf(receiver).toSorted()).toEqual([before, ...during].toSorted());
  const after = await world.enqueue(endpointId);
  await world.untilStatus(after, 'success');
});

test('attempts in flight end normally when the account is suspended, and neither their retries nor other claimed deliveries are sent', async () => {
  await using world = await createDeliveryWorld();
  const open: ServerResponse[] = [];
  let isSlow = true;
  await using receiver = await startReceiver((_request, response) => {
    if (isSlow) open.push(response);
    else response.end('ok');
  });
  const { endpointId } = await world.createEndpoint(receiver.url);
  const ids = await Promise.all(Array.from({ length: 10 }, () => world.enqueue(endpointId)));
  world.createWorker({ concurrency: 1 }).start();
  await eventually('an attempt', () => open.length > 0);
  await suspend(world);
  const underWay = idsOf(receiver);
  isSlow = false;
  for (const response of open) response.writeHead(500).end();
  await eventually('the rest to be parked', async () => (await parked(world)) === 10);
  await untilOthersAreServed(world);
  expect(idsOf(receiver)).toEqual(underWay);
  const first = await world.deliveries.get(world.reader(), { deliveryId: underWay[0]! });
  expect([first.status, first.attempts]).toEqual(['retrying', 1]);

  await resume(world);
  for (const id of ids) await world.untilStatus(id, 'success');
  expect(receiver.received.length).toBe(10 + underWay.length);
});

test('a paused endpoint of a suspended account is not probed, and its deliveries stay parked when the account is resumed', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const id = await world.enqueue(endpointId);
  const { pool } = world.database;
  await pool.query(
    `insert into deliveries.endpoint_health (endpoint_id, account_id, state, failures, since, probe_at, probes, drain_rate)
     values ($1, $2, 'paused', 20, now(), now(), 0, 0)`,
    [endpointId, world.accountId],
  );
  await suspend(world);
  world.createWorker().start();
  await eventually('the delivery to be parked', async () => (await parked(world)) === 1);
  await untilOthersAreServed(world);
  expect(receiver.received).toEqual([]);
  await pool.query(`update deliveries.endpoint_health set probe_at = now() + interval '1 hour'`);
  await resume(world);
  await untilOthersAreServed(world);
  expect([await parked(world), receiver.received.length]).toEqual([1, 0]);
  await pool.query(`update deliveries.endpoint_health set probe_at = now()`);
  await world.untilStatus(id, 'success');
});

test('a redelivery that is made while the account is suspended waits until the account is resumed', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  const first = await world.enqueue(endpointId);
  await world.untilStatus(first, 'success');
  await suspend(world);
  const { id } = await world.write((tx) => world.deliveries.redeliver(tx, { endpointId, deliveryId: first }));
  await eventually('the redelivery to be parked', async () => (await parked(world)) === 1);
  await untilOthersAreServed(world);
  expect(receiver.received.length).toBe(1);
  await resume(world);
  await world.untilStatus(id, 'success');
  expect(receiver.received.length).toBe(2);
});
