// Endpoints that fail until they are repaired, and their health.
import type { RequestListener } from 'node:http';
import { expect } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

/** A receiver that fails until `repair` is called. */
export async function startFailingReceiver(
  fail: RequestListener = (_request, response) => response.writeHead(500).end(),
) {
  let isRepaired = false;
  const receiver = await startReceiver((request, response) =>
    isRepaired ? response.end('ok') : fail(request, response),
  );
  return Object.assign(receiver, { repair: () => void (isRepaired = true) });
}

export const createWorld = () => createDeliveryWorld({ retryScheduleSeconds: [0, 3600, 3600] });

export const enqueueMany = (world: DeliveryWorld, endpointId: string, count: number): Promise<string[]> =>
  world.write((tx) =>
    world.deliveries.enqueue(
      tx,
      Array.from({ length: count }, () => ({ endpointId, eventType: 'registered', body: '{}' })),
    ),
  );

export async function healthOf(world: DeliveryWorld, endpointId: string) {
  const endpoints = await world.deliveries.endpoints(world.reader(), [endpointId]);
  return endpoints.get(endpointId)!.health;
}

export const untilHealth = (world: DeliveryWorld, endpointId: string, status: string) =>
  eventually(`the endpoint to be ${status}`, async () => {
    const health = await healthOf(world, endpointId);
    return health.status === status && health;
  });

export async function noticesOf({ database }: DeliveryWorld, endpointId: string): Promise<string[]> {
  const { rows } = await database.pool.query<{ kind: string }>(
    'select kind from deliveries.endpoint_notice where endpoint_id = $1 order by at, id',
    [endpointId],
  );
  return rows.map((row) => row.kind);
}

/** Pauses an endpoint by 20 failures over six minutes. */
export async function pauseByFailures(
  world: DeliveryWorld,
  receiver: Receiver,
  endpointId: string,
): Promise<string[]> {
  const first = await enqueueMany(world, endpointId, 19);
  for (const id of first) await world.untilStatus(id, 'retrying');
  await eventually(
    'the failures to be recorded',
    async () => (await healthOf(world, endpointId)).failuresInARow === 19,
  );
  await world.database.pool.query(
    `update deliveries.endpoint_health set since = now() - interval '6 minutes' where endpoint_id = $1`,
    [endpointId],
  );
  const last = await enqueueMany(world, endpointId, 1);
  await untilHealth(world, endpointId, 'paused');
  expect(receiver.received).toHaveLength(20);
  return [...first, ...last];
}

/** Enqueues until a delivery is parked. A worker may send one or two more before it reads that the endpoint is paused. */
export async function enqueueParked(
  world: DeliveryWorld,
  endpointId: string,
  body?: string,
): Promise<string> {
  for (;;) {
    const id = await world.enqueue(endpointId, body);
    const row = await eventually('the delivery to be tried or parked', async () => {
      const { rows } = await world.database.pool.query<{ parked: boolean; attempts: number }>(
        `select due_at = 'infinity' as parked, attempts from deliveries.due where delivery_id = $1`,
        [id],
      );
      return (rows[0]!.parked || rows[0]!.attempts > 0) && rows[0];
    });
    if (row.parked) return id;
  }
}

export const probeNow = (world: DeliveryWorld, endpointId: string) =>
  world.write((tx) => world.deliveries.probe(tx, endpointId));

/** Waits until a delivery that was parked untried has had its first attempt. */
export const untilTried = (world: DeliveryWorld, deliveryId: string) =>
  eventually('the attempt to be recorded', async () => {
    const { attempts } = await world.deliveries.get(world.reader(), { deliveryId });
    return attempts === 1;
  });

/** An endpoint that is paused because its receiver answered 410. The caller disposes of the receiver. */
export async function createPaused(world: DeliveryWorld) {
  const receiver = await startFailingReceiver((_request, response) => response.writeHead(410).end());
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  await world.untilStatus(await world.enqueue(endpointId), 'retrying');
  const { nextProbeAt } = await untilHealth(world, endpointId, 'paused');
  return { receiver, endpointId, nextProbeAt };
}
