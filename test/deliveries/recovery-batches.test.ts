import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { createRecoveryWorld, isDone } from './recovery-world.ts';

test('a few matching deliveries after many others are found', async () => {
  await using world = await createRecoveryWorld();
  await world.ended('failure', { count: 5200 });
  const ids = await world.ended('failure', { eventType: 'joined', count: 3 });
  const { id, total } = await world.recover({ eventTypes: ['joined'] });
  expect(total).toBe(3);
  world.createWorker().start();
  expect(await world.untilRecovery(id, 'done', isDone)).toMatchObject({ queued: 3 });
  expect(await world.waitingFor()).toEqual(ids);
});

test('counting ends after 100,000 deliveries and says so; later deliveries are redelivered too', async () => {
  await using world = await createRecoveryWorld();
  const { pool } = world.database;
  await pool.query(
    `insert into deliveries.delivery
       (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at, ended_as)
     select ('01900000-0000-7000-8000-' || lpad(to_hex(i), 12, '0'))::uuid, $1, $2, 'registered', '', false, 1, now(), 'failure'
     from generate_series(1, 100000) i`,
    [world.accountId, world.endpointId],
  );
  const [last] = await world.ended('failure', { eventType: 'joined' });
  const since = new Date(0);
  const { deliveries, endpointId } = world;
  const all = { endpointId, since, statuses: ['failure'] as const };
  expect(await deliveries.previewRecovery(world.reader(), all)).toMatchObject({
    total: 100_000,
    isTotalCapped: true,
  });
  const recovery = await world.recover({ since, eventTypes: ['joined'] });
  expect(recovery).toMatchObject({ state: 'running', total: 0, isTotalCapped: true });
  world.createWorker().start();
  expect(await world.untilRecovery(recovery.id, 'done', isDone)).toMatchObject({ queued: 1 });
  expect(await world.waitingFor()).toEqual([last]);
});

test.each([
  ['before it has queued redeliveries', 'deliveries.delivery', 'with draft as materialized'],
  ['before it has recorded its position', 'deliveries.recovery', 'update deliveries.recovery'],
])('two workers, one of which is killed %s, queue each delivery once', async (_when, table, statement) => {
  await using world = await createRecoveryWorld();
  const { pool } = world.database;
  const ids = await world.ended('failure', { count: 1300 });
  const { id } = await world.recover();
  const blocker = await pool.connect();
  try {
    await blocker.query(`begin; lock table ${table} in share mode`);
    world.createWorker().start();
    world.createWorker().start();
    // A batch waits for the table. Its connection is cut there.
    await eventually('a batch to be cut off', async () => {
      const { rows } = await pool.query(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock' and query like $1`,
        [`%${statement}%`],
      );
      return rows.length > 0;
    });
    const key = { recoveryId: id, endpointId: world.endpointId };
    expect(await world.deliveries.getRecovery(world.reader(), key)).toMatchObject({ queued: 0 });
  } finally {
    await blocker.query('rollback');
    blocker.release();
  }
  expect(await world.untilRecovery(id, 'done', isDone)).toMatchObject({ queued: 1300 });
  expect(await world.waitingFor()).toEqual(ids);
});

test('a recovery waits while the queue of its endpoint is full, and then goes on', async () => {
  await using world = await createRecoveryWorld();
  const ids = await world.ended('failure', { count: 2600 });
  const { id } = await world.recover();
  // A batch that was committed while this query began is later than the query too, but not by a second.
  const isPostponed = async (): Promise<boolean> => {
    const { rows } = await world.database.pool.query(
      `select next_at > now() + interval '1 second' as is from deliveries.recovery`,
    );
    return rows[0].is;
  };
  world.createWorker().start();
  await eventually('the recovery to wait', isPostponed);
  const waiting = await world.waitingFor();
  expect(waiting).toEqual(ids.slice(0, 2000));

  const { rows } = await world.database.pool.query<{ id: string }>(
    'select delivery_id as id from deliveries.due',
  );
  await world.end(
    rows.map((row) => row.id),
    'success',
  );
  expect(await world.untilRecovery(id, 'done', isDone)).toMatchObject({ queued: 2600 });
  expect(await world.waitingFor()).toEqual(ids.slice(2000));
});

test('a cancelled recovery queues nothing more, and another one can be created', async () => {
  await using world = await createRecoveryWorld();
  const { deliveries, endpointId } = world;
  await world.ended('failure', { count: 2300 });
  const { id } = await world.recover();
  await expect(world.recover()).rejects.toMatchObject({ code: 'recovery_running' });
  world.createWorker().start();
  await world.untilRecovery(id, 'waiting', ({ queued }) => queued === 2000);
  const cancel = () => world.write((tx) => deliveries.cancelRecovery(tx, { recoveryId: id, endpointId }));
  expect(await cancel()).toMatchObject({ state: 'cancelled', cancelReason: 'requested', queued: 2000 });
  await expect(cancel()).rejects.toMatchObject({ code: 'recovery_finished' });

  // The queue has room, and the cancelled recovery would come before the next one, which is done.
  await world.database.pool.query('delete from deliveries.due');
  await world.database.pool.query(`update deliveries.recovery set next_at = now() - interval '1 hour'`);
  const next = await world.recover({ since: new Date(Date.now() - 1), statuses: ['cancelled'] });
  expect(next).toMatchObject({ state: 'done', total: 0 });
  await world.ended('cancelled');
  const last = await world.recover({ statuses: ['cancelled'] });
  await world.untilRecovery(last.id, 'done', isDone);
  expect(await world.waitingFor()).toHaveLength(1);
  const { data } = await deliveries.listRecoveries(world.reader(), { endpointId, limit: 2 });
  expect(data.map((recovery) => recovery.id)).toEqual([last.id, next.id]);
});

test.each(['switched_off', 'deleted'] as const)('a recovery ends when its endpoint is %s', async (reason) => {
  await using world = await createRecoveryWorld();
  const { deliveries, endpointId } = world;
  await world.ended('failure', { count: 3 });
  const { id } = await world.recover();
  await world.write<unknown>((tx) =>
    reason === 'deleted'
      ? deliveries.deleteEndpoint(tx, endpointId)
      : deliveries.setEnabled(tx, endpointId, false),
  );
  world.createWorker().start();
  const ended = await world.untilRecovery(id, 'cancelled', ({ state }) => state === 'cancelled');
  expect(ended).toMatchObject({ cancelReason: reason, queued: 0, finishedAt: expect.any(String) });
  expect(await world.waitingFor()).toEqual([]);
});

test('a worker whose clock is behind the end of a recovery leaves it to other workers', async () => {
  await using world = await createRecoveryWorld();
  await world.ended('failure');
  const { id } = await world.recover();
  const { pool } = world.database;
  await pool.query(`update deliveries.recovery set until = now() + interval '1 hour'`);
  world.createWorker().start();
  const other = await world.createEndpoint('http://127.0.0.1:9/other');
  await world.ended('failure', { endpointId: other.endpointId });
  const { id: otherId } = await world.recover({ endpointId: other.endpointId });
  await eventually('the other recovery to be done', async () => {
    const key = { recoveryId: otherId, endpointId: other.endpointId };
    return isDone(await world.deliveries.getRecovery(world.reader(), key));
  });
  await world.untilRecovery(id, 'where it was', ({ state, queued }) => state === 'running' && queued === 0);
});
