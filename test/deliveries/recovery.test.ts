import { createId, databaseTime } from '@service/database';
import { expect, test } from 'vitest';
import { createRecoveryWorld, isDone } from './recovery-world.ts';

test('failed deliveries of the time range are redelivered once, and no others', async () => {
  await using world = await createRecoveryWorld();
  const { endpointId, deliveries } = world;
  await world.ended('failure', { body: 'too early' });
  const since = databaseTime();
  const [first] = await world.ended('failure', { body: 'first' });
  await world.ended('success');
  await world.ended('cancelled');
  await world.ended('failure', { isTest: true });
  const other = await world.createEndpoint('http://127.0.0.1:9/other');
  await world.ended('failure', { endpointId: other.endpointId });
  await world.enqueue(endpointId, 'still waiting');
  const [last] = await world.ended('failure', { eventType: 'joined', body: 'last' });

  expect(await world.preview({ since })).toBe(2);
  const recovery = await world.recover({ since });
  expect(recovery).toMatchObject({ state: 'running', total: 2, isTotalCapped: false, queued: 0 });
  expect(recovery).toMatchObject({ statuses: ['failure'], eventTypes: null, finishedAt: null });
  await world.ended('failure', { body: 'too late' });
  world.createWorker().start();
  const done = await world.untilRecovery(recovery.id, 'done', isDone);
  expect(done).toMatchObject({ queued: 2, cancelReason: null, finishedAt: expect.any(String) });
  expect(await world.waitingFor()).toEqual([first, last]);

  const { data } = await deliveries.list(world.reader(), { endpointId, limit: 2 });
  const newest = await deliveries.get(world.reader(), { deliveryId: data[0]!.id });
  expect(newest).toMatchObject({ eventType: 'joined', isRefire: true, isTest: false, redeliveryOf: last });
  expect(newest).toMatchObject({ body: 'last again', status: 'queued' });
});

test('the end of the range is kept, and an end in the future becomes now', async () => {
  await using world = await createRecoveryWorld();
  const [early] = await world.ended('failure');
  const until = databaseTime();
  await world.ended('failure');
  expect(await world.preview({ until })).toBe(1);
  const { id, ...recovery } = await world.recover({ until });
  expect(recovery).toMatchObject({ until: until.toISOString(), total: 1 });
  world.createWorker().start();
  await world.untilRecovery(id, 'done', isDone);
  expect(await world.waitingFor()).toEqual([early]);

  const next = await world.recover({ until: new Date(Date.now() + 3_600_000) });
  expect(next).toMatchObject({ until: next.createdAt, total: 1 });
});

test('of several recoveries that are created at the same time one is accepted', async () => {
  await using world = await createRecoveryWorld();
  await world.ended('failure');
  const outcomes = await Promise.allSettled([world.recover(), world.recover(), world.recover()]);
  const refused = outcomes.filter((outcome) => outcome.status === 'rejected');
  expect(refused.map(({ reason }) => reason.code)).toEqual(['recovery_running', 'recovery_running']);
});

test.each([
  [['failure'], undefined],
  [['cancelled'], undefined],
  [['success'], undefined],
  [['cancelled', 'failure', 'failure'], undefined],
  [['failure', 'cancelled', 'success'], undefined],
  [['failure'], ['joined']],
  [
    ['success', 'cancelled'],
    ['joined', 'left'],
  ],
  [['failure'], ['left']],
] as const)(
  'a preview of %j and %j counts the redeliveries that are queued later',
  async (statuses, eventTypes) => {
    await using world = await createRecoveryWorld();
    const expected: string[] = [];
    for (const status of ['failure', 'success', 'cancelled'] as const) {
      for (const eventType of ['registered', 'joined']) {
        const ids = await world.ended(status, { eventType, count: 2 });
        const isWanted =
          (statuses as readonly string[]).includes(status) &&
          ((eventTypes as readonly string[] | undefined)?.includes(eventType) ?? true);
        if (isWanted) expected.push(...ids);
      }
    }
    expect(await world.preview({ statuses, eventTypes })).toBe(expected.length);
    const { id, state } = await world.recover({ statuses, eventTypes });
    expect(state).toBe(expected.length === 0 ? 'done' : 'running');
    world.createWorker().start();
    expect(await world.untilRecovery(id, 'done', isDone)).toMatchObject({
      total: expected.length,
      queued: expected.length,
    });
    expect(await world.waitingFor()).toEqual(expected);
  },
);

test('a message with several deliveries is redelivered once, unless it has succeeded since or waits to be sent', async () => {
  await using world = await createRecoveryWorld();
  const [twice, arrived, underway, arrivedBefore] = (await world.ended('failure', { count: 4 })) as [
    string,
    string,
    string,
    string,
  ];
  // One after the other; the second one redelivers the first one.
  const again = await world.redeliver(twice);
  await world.end([again], 'failure');
  await world.end([await world.redeliver(again)], 'failure');
  await world.end([await world.redeliver(arrived)], 'success');
  await world.redeliver(underway);
  await world.end([arrivedBefore], 'failure');
  const late = await world.redeliver(arrivedBefore);
  await world.end([late], 'success');
  await world.end([await world.redeliver(late)], 'failure');
  const before = await world.waitingFor();

  expect(await world.preview()).toBe(2);
  // With the status success, messages that succeeded are redelivered, also once.
  expect(await world.preview({ statuses: ['failure', 'success'] })).toBe(3);
  const { id } = await world.recover();
  world.createWorker().start();
  expect(await world.untilRecovery(id, 'done', isDone)).toMatchObject({ queued: 2 });
  expect((await world.waitingFor()).slice(before.length)).toEqual([twice, arrivedBefore]);
});

test('a recovery does not redeliver its own redeliveries, and the next one redelivers only those that failed', async () => {
  await using world = await createRecoveryWorld();
  const ids = await world.ended('failure', { count: 3 });
  const worker = world.createWorker();
  const first = await world.recover();
  worker.start();
  await world.untilRecovery(first.id, 'done', isDone);
  expect(await world.preview()).toBe(0);

  const { rows } = await world.database.pool.query<{ id: string }>(
    'select id from deliveries.delivery where is_refire order by id',
  );
  await world.end([rows[0]!.id], 'success');
  await world.end([rows[1]!.id], 'failure');
  expect(await world.preview()).toBe(1);
  const second = await world.recover();
  expect(await world.untilRecovery(second.id, 'done', isDone)).toMatchObject({ queued: 1 });
  expect(await world.waitingFor()).toEqual([ids[2], ids[1]]);
});

test('an account cannot read or recover deliveries of another account, and finished recoveries are kept for 90 days', async () => {
  await using world = await createRecoveryWorld();
  const { deliveries, endpointId, database } = world;
  await world.ended('failure');
  const { id } = await world.recover();
  const stranger = world.reader(createId());
  const key = { recoveryId: id, endpointId };
  await expect(deliveries.getRecovery(stranger, key)).rejects.toMatchObject({ code: 'recovery_not_found' });
  const elsewhere = { ...key, endpointId: createId() };
  await expect(deliveries.getRecovery(world.reader(), elsewhere)).rejects.toMatchObject({
    code: 'recovery_not_found',
  });
  expect((await deliveries.listRecoveries(stranger, { endpointId, limit: 5 })).data).toEqual([]);
  const request = { endpointId, since: new Date(0), statuses: ['failure'] as const };
  expect(await deliveries.previewRecovery(stranger, request)).toMatchObject({ total: 0 });

  const old = createId(new Date(Date.now() - 91 * 24 * 3_600_000));
  await database.pool.query(`update deliveries.recovery set id = $1, state = 'done'`, [old]);
  const next = await world.recover();
  const { data } = await deliveries.listRecoveries(world.reader(), { endpointId, limit: 5 });
  expect(data.map((recovery) => recovery.id)).toEqual([next.id]);
});
