import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import type { DeliveryWorld } from './delivery-world.ts';
import {
  createWorld,
  enqueueMany,
  healthOf,
  pauseByFailures,
  startFailingReceiver,
  untilHealth,
} from './health-world.ts';

const sendWaiting = (world: DeliveryWorld, endpointId: string) =>
  world.write((tx) => world.deliveries.sendWaiting(tx, endpointId));

const waiting = (world: DeliveryWorld, endpointId: string) =>
  world.deliveries.waiting(world.reader(), endpointId);

const untilDone = (world: DeliveryWorld, endpointId: string) =>
  eventually('the flush to be done', async () => {
    const { flush } = await waiting(world, endpointId);
    return flush?.state === 'done' && flush;
  });

/** Deliveries whose first try failed, and that are tried again in an hour. */
async function failFirst(world: DeliveryWorld, endpointId: string, count: number): Promise<string[]> {
  const ids = await enqueueMany(world, endpointId, count);
  await eventually('all of them to wait', async () => (await waiting(world, endpointId)).count === count);
  // Otherwise these failures are counted against the run that is started next.
  await eventually(
    'the failures to be recorded',
    async () => (await healthOf(world, endpointId)).failuresInARow === count,
  );
  return ids;
}

const idsOf = (received: readonly { headers: NodeJS.Dict<string | string[]> }[]): string[] =>
  received.map(({ headers }) => String(headers['webhook-id'])).toSorted();

test('everything that waits is sent once as the same deliveries, beside new ones, and several calls at once start one run', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver();
  await using other = await startFailingReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  const untouched = await world.createEndpoint(other.url);
  world.createWorker().start();
  const ids = await failFirst(world, endpointId, 60);
  await failFirst(world, untouched.endpointId, 1);
  expect(await waiting(world, endpointId)).toMatchObject({ count: 60, flush: null });
  receiver.repair();
  receiver.received.length = 0;

  const started = await Promise.all([1, 2, 3].map(() => sendWaiting(world, endpointId)));
  expect(new Set(started.map(({ flush }) => flush!.id)).size).toBe(1);
  expect(started[0]!.flush).toMatchObject({ state: 'running', total: 60 });
  const meanwhile = await enqueueMany(world, endpointId, 30);
  const done = await untilDone(world, endpointId);
  expect(done).toMatchObject({ total: 60, left: 0, finishedAt: expect.any(String) });
  for (const id of ids) {
    const delivery = await world.untilStatus(id, 'success');
    expect(delivery).toMatchObject({ attempts: 2, isRefire: false, replacedBy: null });
  }
  for (const id of meanwhile) await world.untilStatus(id, 'success');
  expect(idsOf(receiver.received)).toEqual([...ids, ...meanwhile].toSorted());
  const { data } = await world.deliveries.list(world.reader(), { endpointId, limit: 100 });
  expect(data).toHaveLength(90);
  expect(await waiting(world, untouched.endpointId)).toMatchObject({ count: 1, flush: null });
  expect(await sendWaiting(world, endpointId)).toMatchObject({
    count: 0,
    flush: { id: done.id, state: 'done' },
  });
});

test('a paused endpoint is probed at once, and everything else is sent when it answers', async () => {
  await using world = await createWorld();
  await using receiver = await startFailingReceiver();
  const { endpointId } = await world.createEndpoint(receiver.url);
  world.createWorker().start();
  const ids = await pauseByFailures(world, receiver, endpointId);
  const before = await sendWaiting(world, endpointId);
  expect(before).toMatchObject({ count: 20, nextAttemptAt: null, flush: { total: 20, left: 20 } });
  await eventually('the probe', () => receiver.received.length === 21);
  // The probe has failed, so nothing else was sent. A second call probes again, in the same run.
  receiver.repair();
  expect((await sendWaiting(world, endpointId)).flush!.id).toBe(before.flush!.id);
  await untilDone(world, endpointId);
  for (const id of ids) await world.untilStatus(id, 'success');
  expect(receiver.received).toHaveLength(41);
});

test('a hanging endpoint costs a few deliveries a try, is paused, and loses nothing', async () => {
  await using world = await createWorld();
  const open: ServerResponse[] = [];
  let mode: 'fail' | 'hang' | 'work' = 'fail';
  await using receiver = await startReceiver((_request, response) => {
    if (mode === 'fail') response.writeHead(500).end();
    else if (mode === 'work') response.end();
    else open.push(response);
  });
  const { endpointId } = await world.createEndpoint(receiver.url);
  // Its tries end long before the second share of deliveries is released, a second after the first one.
  const impatient = world.createWorker({ timeoutMs: 100 });
  impatient.start();
  const ids = await failFirst(world, endpointId, 100);
  mode = 'hang';
  await sendWaiting(world, endpointId);
  await untilHealth(world, endpointId, 'paused');
  // Five failures pause it. Attempts that were in flight at that moment fail as well.
  expect(open.length).toBeLessThan(40);
  const { count, flush } = await eventually('the tries in flight to end', async () => {
    const now = await waiting(world, endpointId);
    return now.count === 100 && now;
  });
  expect([count, flush!.state]).toEqual([100, 'running']);
  await impatient.stop();

  mode = 'work';
  world.createWorker().start();
  await sendWaiting(world, endpointId);
  for (const id of ids) {
    // A delivery that hung waits for its own retry again. The next call sends it.
    if ((await world.deliveries.get(world.reader(), { deliveryId: id })).attempts === 1)
      await world.untilStatus(id, 'success');
  }
  await untilDone(world, endpointId);
  await sendWaiting(world, endpointId);
  for (const id of ids) await world.untilStatus(id, 'success');
});

test.each(['deleted', 'switched off'])(
  'a run ends when its endpoint is %s, and what waited is cancelled',
  async (how) => {
    await using world = await createWorld();
    await using receiver = await startFailingReceiver();
    const { endpointId } = await world.createEndpoint(receiver.url);
    const worker = world.createWorker();
    worker.start();
    const ids = await failFirst(world, endpointId, 30);
    await worker.stop();
    await sendWaiting(world, endpointId);
    await world.write<unknown>((tx) =>
      how === 'deleted'
        ? world.deliveries.deleteEndpoint(tx, endpointId)
        : world.deliveries.setEnabled(tx, endpointId, false),
    );
    receiver.received.length = 0;
    world.createWorker().start();
    await untilDone(world, endpointId);
    for (const id of ids) await world.untilStatus(id, 'cancelled');
    expect(receiver.received).toEqual([]);
  },
);

test('thousands are parked in steps by any worker, also after the one that began has died, and no later delivery', async () => {
  await using world = await createWorld();
  const { endpointId } = await world.createEndpoint('http://127.0.0.1:9/');
  const { pool } = world.database;
  // Later than the queue of a test lasts: nothing is sent.
  await pool.query(
    `insert into deliveries.endpoint_health
       (endpoint_id, account_id, state, failures, since, probe_at, probes, drain_rate)
     values ($1, $2, 'paused', 20, now(), now() + interval '1 hour', 0, 0)`,
    [endpointId, world.accountId],
  );
  const count = 11_000;
  await enqueueMany(world, endpointId, count);
  await pool.query(
    `update deliveries.due set attempts = 1, tries = 1, due_at = now() + interval '1 hour' + random() * interval '1 hour'`,
  );
  expect((await sendWaiting(world, endpointId)).flush).toMatchObject({ total: count, left: count });
  const parked = async (): Promise<number> => {
    const { rows } = await pool.query(`select count(*)::int from deliveries.due where due_at = 'infinity'`);
    return rows[0].count;
  };
  expect(await parked()).toBe(5000);
  const [later] = await enqueueMany(world, endpointId, 1);
  await pool.query(`update deliveries.due set due_at = now() + interval '3 hours' where delivery_id = $1`, [
    later,
  ]);
  for (const worker of [world.createWorker(), world.createWorker()]) worker.start();
  await eventually('everything to be parked', async () => (await parked()) >= count - 1);
  expect((await waiting(world, endpointId)).flush).toMatchObject({ state: 'running', total: count });
  expect(await healthOf(world, endpointId)).toMatchObject({ status: 'paused' });
  const { rows } = await pool.query(
    `select due_at < 'infinity' as "hasOwnTime" from deliveries.due where delivery_id = $1`,
    [later],
  );
  expect(rows).toEqual([{ hasOwnTime: true }]);
});
