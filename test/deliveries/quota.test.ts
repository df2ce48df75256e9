// The limits of an account, and of an endpoint that has never answered.
import { randomUUID } from 'node:crypto';
import { sweepUsage } from '@service/deliveries';
import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { writeAs } from '../support/factories.ts';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';

const full = { status: 'failure', failure: 'backlog_full', attempts: 0 };
const nowhere = 'http://127.0.0.1:9/';
const megabyte = 1024 * 1024;

const get = (world: DeliveryWorld, deliveryId: string) =>
  world.deliveries.get(world.reader(), { deliveryId });

test('beyond the backlog of an account its deliveries end at once, and are recovered when there is room', async () => {
  const quota = { waitingMax: 3, bytesMax: megabyte };
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 600], quota });
  await using receiver = await startReceiver();
  const { deliveries, write } = world;
  const { endpointId } = await world.createEndpoint(receiver.url);
  const draft = { endpointId, eventType: 'registered', body: '"kept"' };
  await deliveries.requireRoom(world.reader());
  const ids = await write((tx) => deliveries.enqueue(tx, [draft, draft, draft, draft]));
  const [waiting, refused] = [
    ids.slice(0, 3),
    [...ids.slice(3), await world.enqueue(endpointId, draft.body)],
  ];
  expect(await get(world, waiting[2]!)).toMatchObject({ status: 'queued' });
  for (const id of refused) expect(await get(world, id)).toMatchObject({ ...full, body: '"kept"' });
  const failed = await deliveries.list(world.reader(), { endpointId, status: 'failure', limit: 10 });
  expect(failed.data.map(({ id }) => id)).toEqual(refused.toReversed());
  await expect(deliveries.requireRoom(world.reader())).rejects.toMatchObject({
    code: 'delivery_backlog_full',
    message: expect.stringMatching(/3 deliveries of this workspace wait.* is 3\. .*DELIVERY_BACKLOG_MAX/),
  });
  for (const deliveryId of [waiting[0]!, refused[0]!])
    await expect(write((tx) => deliveries.redeliver(tx, { deliveryId, endpointId }))).rejects.toMatchObject({
      code: 'delivery_backlog_full',
    });

  const neighbour = randomUUID();
  const [theirs] = await writeAs(world.database, neighbour, async (tx) => {
    await deliveries.requireRoom(tx);
    return deliveries.enqueue(tx, [draft]);
  });
  expect(await deliveries.get(world.reader(neighbour), { deliveryId: theirs! })).toMatchObject({
    status: 'queued',
  });

  // A millisecond later, because a recovery takes what was made before the one in which it is created.
  const since = new Date(Date.now() - 60_000);
  await eventually('the next millisecond', () => Date.now() > since.getTime() + 60_001);
  const { id: recoveryId } = await write((tx) =>
    deliveries.createRecovery(tx, { endpointId, since, statuses: ['failure'] }),
  );
  world.createWorker().start();
  await eventually('the recovery', async () => {
    return (await deliveries.getRecovery(world.reader(), { recoveryId, endpointId })).state === 'done';
  });
  await eventually('all deliveries', () => receiver.received.length === 5);
  await eventually('an empty queue', async () => (await deliveries.usage(world.reader())).waiting === 0);
});

test('beyond the storage of an account its deliveries end at once, tests too, until days are dropped', async () => {
  const quota = { waitingMax: 100, bytesMax: 20_000 };
  await using world = await createDeliveryWorld({ quota });
  const { deliveries, write, accountId } = world;
  const { pool } = world.database;
  const { endpointId } = await world.createEndpoint(nowhere);
  const draft = { endpointId, eventType: 'registered', body: JSON.stringify('é'.repeat(10_000)) };
  await world.enqueue(endpointId, draft.body);
  const { storedBytes } = await deliveries.usage(world.reader());
  expect(storedBytes).toBeGreaterThan(20_000);
  const refused = await write((tx) => deliveries.enqueue(tx, [draft, { ...draft, isTest: true }]));
  for (const id of refused) expect(await get(world, id)).toMatchObject(full);
  await expect(deliveries.requireRoom(world.reader())).rejects.toThrow('DELIVERY_STORAGE_MAX_MB');

  await sweepUsage(pool, new Date());
  const { storedBytes: before } = await deliveries.usage(world.reader());
  await pool.query(`update deliveries.stored_day set day = day - 91 where account_id = $1`, [accountId]);
  await world.enqueue(endpointId, '"one more"');
  await sweepUsage(pool, new Date());
  const { storedBytes: after } = await deliveries.usage(world.reader());
  expect(before).toBeGreaterThan(storedBytes);
  expect(after).toBeGreaterThan(0);
  expect(after).toBeLessThan(1000);
  await deliveries.requireRoom(world.reader());
});

test('the count is the queue after writers at once, rollbacks, redeliveries, cancellations and sweeps', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 600] });
  await using receiver = await startReceiver((_request, response) => {
    response.statusCode = receiver.received.length % 2 === 0 ? 200 : 500;
    response.end();
  });
  const { deliveries, write, accountId } = world;
  const { pool } = world.database;
  const answers = await world.createEndpoint(receiver.url);
  const silent = await world.createEndpoint(nowhere);
  const bodyOf = (index: number) => JSON.stringify({ index });
  const expectExact = async (): Promise<void> => {
    const { rows } = await pool.query('select count(*)::int as waiting from deliveries.due');
    expect(await deliveries.usage(world.reader())).toMatchObject(rows[0]);
  };
  const draftsTo = (endpointId: string) =>
    Array.from({ length: 10 }, (_, index) => ({ endpointId, eventType: 'registered', body: bodyOf(index) }));

  await Promise.all(
    Array.from({ length: 40 }, (_, index) =>
      write(async (tx) => {
        await deliveries.enqueue(tx, draftsTo([answers, silent][index % 2]!.endpointId));
        if (index % 5 === 0) throw new Error('rolled back');
      }).catch((error: Error) => expect(error.message).toBe('rolled back')),
    ),
  );
  await expectExact();
  expect(await deliveries.usage(world.reader())).toMatchObject({ waiting: 320 });
  const { data } = await deliveries.list(world.reader(), { endpointId: silent.endpointId, limit: 1 });
  const deliveryId = data[0]!.id;
  await write((tx) => deliveries.redeliver(tx, { deliveryId, endpointId: silent.endpointId }));
  await expectExact();
  await write((tx) => deliveries.setEnabled(tx, silent.endpointId, false));
  await expectExact();

  const worker = world.createWorker();
  worker.start();
  await eventually('all first tries', () => receiver.received.length === 160);
  await worker.stop();
  await expectExact();
  const { waiting } = await deliveries.usage(world.reader());
  expect(waiting).toBe(80);

  // Changes that were not counted.
  await pool.query('delete from deliveries.due where ctid in (select ctid from deliveries.due limit 7)');
  await sweepUsage(pool, new Date());
  await expectExact();
  await pool.query('delete from deliveries.usage where account_id = $1', [accountId]);
  await sweepUsage(pool, new Date());
  await expectExact();
});

test('an endpoint that never answered stops the growth at a thousand, and takes deliveries again after its first answer', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 1, 1, 1, 1, 1, 1, 1] });
  let status = 500;
  await using receiver = await startReceiver((_request, response) => {
    response.statusCode = status;
    response.end();
  });
  await using calm = await startReceiver();
  const { deliveries, write } = world;
  const { pool } = world.database;
  const { endpointId } = await world.createEndpoint(receiver.url);
  const other = await world.createEndpoint(calm.url);
  const drafts = Array.from({ length: 1100 }, () => ({
    endpointId,
    eventType: 'registered',
    body: '"many"',
  }));
  await write((tx) => deliveries.enqueue(tx, drafts));
  const worker = world.createWorker({ seldomEveryMs: 50 });
  worker.start();
  await eventually('the mark', async () => {
    const { rows } = await pool.query('select is_full from deliveries.endpoint_health');
    return rows[0]?.is_full === true;
  });
  const refused = await world.enqueue(endpointId);
  expect(await get(world, refused)).toMatchObject(full);
  const before = await deliveries.usage(world.reader());
  await world.untilStatus(await world.enqueue(other.endpointId), 'success');
  const isTest = { endpointId, eventType: 'registered', body: '"test"', isTest: true };
  const [test] = await write((tx) => deliveries.enqueue(tx, [isTest]));
  expect((await get(world, test!)).failure).not.toBe('backlog_full');
  expect(before.waiting).toBeLessThanOrEqual(1100);

  status = 200;
  await eventually('the first answers', async () => {
    const { rows } = await pool.query('select has_answered from deliveries.endpoint where id = $1', [
      endpointId,
    ]);
    return rows[0].has_answered;
  });
  await eventually('no mark', async () => {
    return (await pool.query('select from deliveries.endpoint_health where is_full')).rowCount === 0;
  });
  await world.untilStatus(await world.enqueue(endpointId), 'success');
  status = 500;
  const more = await write((tx) => deliveries.enqueue(tx, drafts));
  await world.untilStatus(more[0]!, 'retrying');
  expect(await get(world, more.at(-1)!)).not.toMatchObject(full);
});
