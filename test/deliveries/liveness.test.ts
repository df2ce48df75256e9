// Worker liveness by advisory lock.
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { onStatement } from '../support/sent-statements.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

const workersOf = async ({ database }: DeliveryWorld): Promise<number[]> => {
  const { rows } = await database.pool.query<{ number: number }>('select number from deliveries.worker');
  return rows.map((row) => row.number);
};

/** Leases everything to a worker without a lock, like a worker that was killed. */
async function leaseToDeadWorker({ database }: DeliveryWorld): Promise<void> {
  await database.pool.query(`insert into deliveries.worker (number, started_at) values (7, now())`);
  await database.pool.query(
    `update deliveries.due set claim = gen_random_uuid(), worker = 7, leased_until = now() + interval '1 hour'`,
  );
}

test('one of two workers takes over the claims of a dead worker long before their leases end, and each delivery is sent once', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const ids = await Promise.all(Array.from({ length: 20 }, () => world.enqueue(endpointId)));
  await leaseToDeadWorker(world);
  let takenOver = 0;
  const observer = { tookOver: (count: number) => void (takenOver += count) };
  for (let worker = 0; worker < 2; worker += 1) world.createWorker({ missingMaxMs: 300, observer }).start();
  for (const id of ids) await world.untilStatus(id, 'success');
  expect(takenOver).toBe(20);
  expect(receiver.received).toHaveLength(20);
  expect(await workersOf(world)).not.toContain(7);
});

test('a worker that lost its connection gets its number back and keeps its claims', async () => {
  await using world = await createDeliveryWorld();
  const open: ServerResponse[] = [];
  await using receiver = await startReceiver((_request, response) => void open.push(response));
  const { endpointId } = await world.createEndpoint(receiver.url);
  const deliveryId = await world.enqueue(endpointId);
  world.createWorker({ timeoutMs: 30_000 }).start();
  await eventually('the request', () => open.length === 1);
  const before = await workersOf(world);
  let takenOver = 0;
  const observer = { tookOver: (count: number) => void (takenOver += count) };
  world.createWorker({ missingMaxMs: 5000, observer }).start();
  await eventually('the second worker', async () => (await workersOf(world)).length === 2);
  const { rowCount } = await world.database.pool.query(
    `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and objid = $1
     and database = (select oid from pg_database where datname = current_database())`,
    before,
  );
  expect(rowCount).toBe(1);
  await eventually('its lock to be taken again', async () => {
    const { rows } = await world.database.pool.query(
      `select from pg_locks where locktype = 'advisory' and objid = $1 and granted
       and database = (select oid from pg_database where datname = current_database())`,
      before,
    );
    return rows.length === 1;
  });
  open[0]!.end();
  await world.untilStatus(deliveryId, 'success');
  expect(takenOver).toBe(0);
  expect(receiver.received).toHaveLength(1);
  expect(await workersOf(world)).toContain(before[0]);
});

test('a worker that loses its connection again and again while it claims sends each delivery once', async () => {
  await using world = await createDeliveryWorld();
  const receivers = await Promise.all(Array.from({ length: 3 }, () => startReceiver()));
  await using stack = new AsyncDisposableStack();
  for (const receiver of receivers) stack.use(receiver);
  const endpoints = await Promise.all(receivers.map(({ url }) => world.createEndpoint(url)));
  const drafts = endpoints.flatMap(({ endpointId }) =>
    Array.from({ length: 100 }, () => ({ endpointId, eventType: 'registered', body: '{}' })),
  );
  const enqueueSome = () => world.write((tx) => world.deliveries.enqueue(tx, drafts));
  // Each endpoint has more than one scan takes, so new deliveries and backlogs are claimed over the connection at once.
  await enqueueSome();
  world.createWorker().start();
  for (let cut = 0; cut < 8; cut += 1) {
    await enqueueSome();
    await eventually('a cut', async () => {
      const { rowCount } = await world.database.pool.query(
        `select pg_terminate_backend(pid) from pg_locks where locktype = 'advisory' and granted
         and database = (select oid from pg_database where datname = current_database())`,
      );
      return rowCount === 1;
    });
  }
  await eventually(
    'an empty queue',
    async () => (await world.database.pool.query('select from deliveries.due limit 1')).rowCount === 0,
  );
  expect(receivers.map(({ received }) => received.length)).toEqual([900, 900, 900]);
});

test('a wake-up makes one of four workers claim', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  let claims = 0;
  const observer = { claimed: () => void (claims += 1) };
  for (let worker = 0; worker < 4; worker += 1)
    world.createWorker({ observer, sweepEveryMs: 60_000 }).start();
  await eventually('four workers', async () => (await workersOf(world)).length === 4);
  for (let warm = 0; warm < 4; warm += 1) await world.untilStatus(await world.enqueue(endpointId), 'success');
  claims = 0;
  for (let count = 0; count < 30; count += 1)
    await world.untilStatus(await world.enqueue(endpointId), 'success');
  // If each worker claimed, there would be about four. On a busy machine some claim once more by their timers.
  expect(claims / 30).toBeLessThan(2);
});

test('a worker that starts notifies the others, and one that is alone then looks at once which workers there are', async () => {
  await using world = await createDeliveryWorld();
  const { pool } = world.database;
  let looks = 0;
  using _ = onStatement(
    ({ text }) => void (looks += Number(text.includes('from (select) one left join deliveries.worker'))),
  );
  const listening = await pool.connect();
  const payloads: (string | undefined)[] = [];
  try {
    listening.on('notification', ({ payload }) => void payloads.push(payload));
    await listening.query('listen deliveries_due');
    world.createWorker().start();
    await eventually('the notification', () => payloads.includes('started'));
    // Without it these looks would come every 5 s, and the test would take longer than it may.
    for (let round = 0; round < 20; round += 1) {
      const before = looks;
      await pool.query(`select pg_notify('deliveries_due', 'started')`);
      await eventually('a look', () => looks > before);
    }
  } finally {
    listening.removeAllListeners('notification');
    await listening.query('unlisten *');
    listening.release();
  }
});

test('a worker that stops removes its number', async () => {
  await using world = await createDeliveryWorld();
  const worker = world.createWorker();
  worker.start();
  await eventually('the worker', async () => (await workersOf(world)).length === 1);
  await worker.stop();
  expect(await workersOf(world)).toEqual([]);
});

test('times that are sent and stored are the database’s, even if the clock of the worker is wrong', async () => {
  await using world = await createDeliveryWorld();
  await using receiver = await startReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const trueNow = Date.now;
  Date.now = () => trueNow() + 300_000;
  try {
    world.createWorker().start();
    await eventually('the worker', async () => (await workersOf(world)).length === 1);
    const deliveryId = await world.enqueue(endpointId);
    const delivery = await world.untilStatus(deliveryId, 'success');
    const sent = Number(receiver.received[0]!.headers['webhook-timestamp']);
    expect(Math.abs(sent - trueNow() / 1000)).toBeLessThan(60);
    expect(Math.abs(Date.parse(delivery.attemptLog[0]!.startedAt) - trueNow())).toBeLessThan(60_000);
  } finally {
    Date.now = trueNow;
  }
});
