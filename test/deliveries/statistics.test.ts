import { randomUUID } from 'node:crypto';
import { createId, idTime } from '@service/database';
import { countQuarters } from '@service/deliveries';
import { expect, test } from 'vitest';
import { createDeliveryWorld } from './delivery-world.ts';
import { insertHistory, type HistoryRow } from './history-rows.ts';

const minuteMs = 60_000;

test('a histogram counts each delivery in the bar of its creation, and shows the durations of its last tries', async () => {
  await using world = await createDeliveryWorld();
  const [one, two] = [
    await world.createEndpoint('https://a.example/'),
    await world.createEndpoint('https://b.example/'),
  ];
  const to = new Date('2026-11-20T12:00:00Z');
  const from = new Date(to.getTime() - 60 * minuteMs);
  const at = (minutes: number): Date => new Date(from.getTime() + minutes * minuteMs);
  const own = { endpointId: one.endpointId };
  await insertHistory(world, [
    { ...own, at: at(-0.01), state: 'failure', durationMs: 1 },
    ...[10, 20, 30].map((durationMs): HistoryRow => ({ ...own, at: at(5.5), state: 'success', durationMs })),
    { ...own, at: at(5.9), state: 'failure', durationMs: 900 },
    { ...own, at: at(5.2), state: 'cancelled' },
    { ...own, at: at(6), state: 'retrying', durationMs: 40 },
    { ...own, at: at(6.1), state: 'queued' },
    { endpointId: two.endpointId, at: at(59.9), state: 'success', durationMs: 7 },
    { ...own, at: to, state: 'success', durationMs: 1 },
  ]);
  const read = (endpointIds?: string[]) =>
    world.deliveries.histogram(world.reader(), { endpointIds, from, to, utcOffsetMinutes: 0 });
  const nothing = { success: 0, failure: 0, cancelled: 0, waiting: 0, p50Ms: null, p95Ms: null };
  const expected = Array.from({ length: 60 }, (_, index) => ({ from: at(index).toISOString(), ...nothing }));
  Object.assign(expected[5]!, { success: 3, failure: 1, cancelled: 1, p50Ms: 20, p95Ms: 900 });
  Object.assign(expected[6]!, { waiting: 2, p50Ms: 40, p95Ms: 40 });
  expect(await read([one.endpointId])).toEqual({ seconds: 60, isCapped: false, bars: expected });
  Object.assign(expected[59]!, { success: 1, p50Ms: 7, p95Ms: 7 });
  expect(await read()).toEqual({ seconds: 60, isCapped: false, bars: expected });
  expect(await read([one.endpointId, two.endpointId])).toEqual(await read());
  const stranger = await world.deliveries.histogram(world.reader(createId()), {
    from,
    to,
    utcOffsetMinutes: 0,
  });
  expect(stranger.bars.every(({ success, waiting }) => success + waiting === 0)).toBe(true);
});

test('the trend sums the last 7 and 30 days and the 30 days before, also of deliveries with stored counts', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://a.example/');
  const now = new Date('2026-11-20T12:20:00Z');
  // Each time begins at the next full hour.
  const ago = (days: number, minutes = 0): Date =>
    new Date(Date.parse('2026-11-20T13:00:00Z') - days * 24 * 60 * minuteMs + minutes * minuteMs);
  const rows: [Date, HistoryRow['state'][]][] = [
    [ago(60, -0.01), ['success', 'failure']],
    [ago(60), ['success', 'success', 'failure', 'cancelled', 'queued']],
    [ago(30, -0.01), ['success']],
    [ago(30), ['success', 'failure', 'failure', 'retrying']],
    [ago(7, -0.01), ['success', 'cancelled']],
    [ago(7), ['success', 'failure', 'failure', 'failure']],
    [ago(0, -41), ['success', 'success', 'failure', 'cancelled', 'queued']],
    [now, ['success', 'failure']],
  ];
  await insertHistory(
    world,
    rows.flatMap(([at, states]) => states.map((state) => ({ endpointId, at, state }))),
  );
  const read = (accountId?: string) => world.deliveries.trend({ ...world.reader(accountId), now });
  const expected = {
    countedMax: 1_000_000,
    week: { success: 3, failure: 4 },
    current: { success: 5, failure: 6 },
    former: { success: 3, failure: 1 },
  };
  expect(await read()).toEqual(expected);
  for (const countedAt of [ago(30, 60), ago(7, 60), now, ago(-1)]) {
    await countQuarters(world.database, { now: countedAt });
    expect(await read()).toEqual(expected);
  }
  const none = { success: 0, failure: 0 };
  expect(await read(createId())).toMatchObject({ week: none, current: none, former: none });
});

test('statistics of endpoints cover the last 24 hours and everything that waits, each endpoint for itself', async () => {
  await using world = await createDeliveryWorld();
  const [busy, calm] = [
    (await world.createEndpoint('https://a.example/')).endpointId,
    (await world.createEndpoint('https://b.example/')).endpointId,
  ];
  const ago = (minutes: number): Date => new Date(Date.now() - minutes * minuteMs);
  await insertHistory(world, [
    { endpointId: busy, at: ago(25 * 60), state: 'failure', durationMs: 5000 },
    { endpointId: busy, at: ago(26 * 60), state: 'queued' },
    { endpointId: busy, at: ago(30), state: 'success', durationMs: 10 },
    { endpointId: busy, at: ago(20), state: 'success', durationMs: 20 },
    { endpointId: busy, at: ago(10), state: 'failure', durationMs: 30 },
    { endpointId: busy, at: ago(5), state: 'retrying', durationMs: 400 },
  ]);
  const found = await world.deliveries.statistics(world.reader(), [busy, calm]);
  expect(found.get(busy)).toEqual({
    waiting: 2,
    oldestWaitingAt: expect.any(String),
    tried: 4,
    successRate: 0.5,
    p50Ms: 20,
    p95Ms: 400,
  });
  const { rows } = await world.database.pool.query<{ id: string }>(
    'select delivery_id as id from deliveries.due order by 1 limit 1',
  );
  expect(found.get(busy)!.oldestWaitingAt).toBe(idTime(rows[0]!.id).toISOString());
  const nothing = {
    waiting: 0,
    oldestWaitingAt: null,
    tried: 0,
    successRate: null,
    p50Ms: null,
    p95Ms: null,
  };
  expect(found.get(calm)).toEqual(nothing);
  const stranger = await world.deliveries.statistics(world.reader(createId()), [busy]);
  expect(stranger.get(busy)).toEqual(nothing);
});

test('the newest delivery of each endpoint is found, also one of weeks ago, and those of other endpoints are not', async () => {
  await using world = await createDeliveryWorld();
  const names = ['busy', 'idle', 'unused', 'other'] as const;
  const ids = new Map<string, string>();
  for (const name of names)
    ids.set(name, (await world.createEndpoint(`https://${name}.example/`)).endpointId);
  const minutesAgo = (minutes: number): Date => new Date(Date.now() - minutes * minuteMs);
  const busy = { endpointId: ids.get('busy')! };
  await insertHistory(world, [
    { ...busy, at: minutesAgo(50), state: 'failure', durationMs: 5 },
    { ...busy, at: minutesAgo(20), state: 'success', durationMs: 5 },
    { ...busy, at: minutesAgo(30), state: 'failure', durationMs: 5 },
    { endpointId: ids.get('idle')!, at: minutesAgo(40 * 24 * 60), state: 'success', durationMs: 5 },
    { endpointId: ids.get('idle')!, at: minutesAgo(30 * 24 * 60), state: 'failure', durationMs: 5 },
    { endpointId: ids.get('other')!, at: minutesAgo(1), state: 'retrying' },
  ]);
  const wanted = ['busy', 'idle', 'unused'].map((name) => ids.get(name)!);
  const newest = await world.deliveries.newest(world.reader(), wanted);
  expect(new Map([...newest].map(([endpointId, { status }]) => [endpointId, status]))).toEqual(
    new Map([
      [ids.get('busy'), 'success'],
      [ids.get('idle'), 'failure'],
    ]),
  );
  expect(await world.deliveries.newest(world.reader(randomUUID()), wanted)).toEqual(new Map());
});
