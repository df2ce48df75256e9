import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import { createWorld, enqueueMany } from './health-world.ts';

const sendWaiting = (world: DeliveryWorld, endpointId: string) =>
  world.write((tx) => world.deliveries.sendWaiting(tx, endpointId));

const stopSending = (world: DeliveryWorld, endpointId: string) =>
  world.write((tx) => world.deliveries.stopSending(tx, endpointId));

const waiting = (world: DeliveryWorld, endpointId: string) =>
  world.deliveries.waiting(world.reader(), endpointId);

/** Deliveries with one try behind them that are tried again between one and two hours from now. */
async function enqueueRetries(world: DeliveryWorld, endpointId: string, count: number): Promise<void> {
  await enqueueMany(world, endpointId, count);
  await world.database.pool.query(
    `update deliveries.due set attempts = 1, tries = 1, due_at = now() + interval '1 hour' + random() * interval '1 hour'
     where endpoint_id = $1`,
    [endpointId],
  );
}

/** The time of the next try by delivery; "infinity" for a parked one. */
async function dueTimes({ database }: DeliveryWorld, endpointId: string): Promise<Map<string, string>> {
  const { rows } = await database.pool.query<{ id: string; at: string }>(
    'select delivery_id as id, due_at::text as at from deliveries.due where endpoint_id = $1',
    [endpointId],
  );
  return new Map(rows.map(({ id, at }) => [id, at]));
}

test('after a stop each delivery waits for the time that it had before, and a new run can be started', async () => {
  await using world = await createWorld();
  const { endpointId } = await world.createEndpoint('http://127.0.0.1:9/');
  await enqueueRetries(world, endpointId, 30);
  const before = await dueTimes(world, endpointId);
  const { nextAttemptAt } = await waiting(world, endpointId);
  const started = await sendWaiting(world, endpointId);
  expect(new Set((await dueTimes(world, endpointId)).values())).toEqual(new Set(['infinity']));

  const stopped = await stopSending(world, endpointId);
  expect(stopped).toMatchObject({ count: 30, nextAttemptAt });
  expect(stopped.flush).toMatchObject({ state: 'cancelled', left: 0, finishedAt: expect.any(String) });
  expect(await dueTimes(world, endpointId)).toEqual(before);

  // A second stop changes nothing.
  expect(await stopSending(world, endpointId)).toEqual(stopped);
  const again = await sendWaiting(world, endpointId);
  expect(again.flush).toMatchObject({ state: 'running', isStopping: false, total: 30 });
  expect(again.flush!.id).not.toBe(started.flush!.id);
});

test('what was released before a stop is sent once, and nothing else is', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const count = 500;
  await enqueueRetries(world, endpointId, count);
  const before = await dueTimes(world, endpointId);
  world.createWorker().start();
  await sendWaiting(world, endpointId);
  await eventually('the first to be sent', () => receiver.received.length > 0);
  await stopSending(world, endpointId);

  const left = await eventually(
    'the released ones to be sent, and the others to wait as before',
    async () => {
      const times = await dueTimes(world, endpointId);
      const waitAsBefore = [...times].every(([id, at]) => at === before.get(id));
      return waitAsBefore && times.size + receiver.received.length === count && times;
    },
  );
  expect(left.size).toBeGreaterThan(0);
  const sent = receiver.received.map(({ headers }) => String(headers['webhook-id']));
  expect(new Set(sent).size).toBe(sent.length);
  expect(sent.filter((id) => left.has(id))).toEqual([]);
});

test('a delivery whose own time has come during the run is sent after a stop', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  await enqueueRetries(world, endpointId, 2);
  await sendWaiting(world, endpointId);
  const [overdue] = (await dueTimes(world, endpointId)).keys();
  await world.database.pool.query(
    `update deliveries.due set own_due_at = now() - interval '1 second' where delivery_id = $1`,
    [overdue],
  );
  await stopSending(world, endpointId);
  world.createWorker().start();
  await world.untilStatus(overdue!, 'success');
  expect(await waiting(world, endpointId)).toMatchObject({ count: 1, flush: { state: 'cancelled' } });
  expect(receiver.received).toHaveLength(1);
});

test('a stop of thousands is finished by any worker, and the drain releases none of them meanwhile', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const count = 11_000;
  await enqueueRetries(world, endpointId, count);
  const before = await dueTimes(world, endpointId);
  await sendWaiting(world, endpointId);
  // As after three steps of workers.
  await world.database.pool.query(
    `update deliveries.due set own_due_at = due_at, due_at = 'infinity' where due_at < 'infinity'`,
  );
  expect((await stopSending(world, endpointId)).flush).toMatchObject({ state: 'running', isStopping: true });
  for (const worker of [world.createWorker(), world.createWorker()]) worker.start();
  await eventually('the run to be stopped', async () => {
    const { flush } = await waiting(world, endpointId);
    return flush?.state === 'cancelled';
  });
  expect(await dueTimes(world, endpointId)).toEqual(before);
  expect(receiver.received).toEqual([]);
});

test('a time from an earlier run is not given to a delivery that was parked for another reason', async () => {
  await using world = await createWorld();
  await using receiver = await startReceiver((_request, response) => response.writeHead(500).end());
  const { endpointId } = await world.createEndpoint(receiver.url);
  await enqueueRetries(world, endpointId, 1);
  const worker = world.createWorker();
  worker.start();
  await sendWaiting(world, endpointId);
  await eventually('the try of the run', () => receiver.received.length === 1);
  await eventually('the run to end', async () => (await waiting(world, endpointId)).flush?.state === 'done');
  await worker.stop();
  const { rows } = await world.database.pool.query('select own_due_at from deliveries.due');
  expect(rows).toEqual([{ own_due_at: null }]);
});
