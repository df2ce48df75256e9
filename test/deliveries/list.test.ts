import { ensurePartitions, idAt } from '@service/database';
import { deliveriesModule } from '@service/deliveries';
import { expect, test } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';
import { insertHistory, type HistoryRow } from './history-rows.ts';

type Query = Parameters<DeliveryWorld['deliveries']['list']>[1];

async function idsOf(world: DeliveryWorld, query: Omit<Query, 'limit'>): Promise<string[]> {
  const page = await world.deliveries.list(world.reader(), { limit: 100, ...query });
  return page.data.map((delivery) => delivery.id);
}

/** All pages of a list. */
async function pagesOf(world: DeliveryWorld, query: Query): Promise<string[][]> {
  const pages: string[][] = [];
  let cursor: string | undefined;
  do {
    const page = await world.deliveries.list(world.reader(), { ...query, cursor });
    pages.push(page.data.map((delivery) => delivery.id));
    cursor = page.pagination.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

type Kind = Pick<HistoryRow, 'eventType'> & { state?: HistoryRow['state'] };

/** Ended deliveries with these times, successful by default. Returns their ids. */
const insertEnded = (world: DeliveryWorld, times: readonly Date[], endpointId: string, kind: Kind = {}) =>
  insertHistory(
    world,
    times.map((at) => ({ endpointId, at, durationMs: 1, state: 'success', ...kind })),
  );

const dayMs = 86_400_000;

/** A time before today's midnight, in UTC. */
const ago = ({ days, ms = 0 }: { days: number; ms?: number }): Date =>
  new Date((Math.floor(Date.now() / dayMs) - days) * dayMs - ms);

test('each status finds its deliveries and no others', async () => {
  await using world = await createDeliveryWorld({ retryScheduleSeconds: [0, 600] });
  const answers: Record<string, number | undefined> = { '/ok': 200, '/no': 500, '/hang': undefined };
  await using receiver = await startReceiver((request, response) => {
    const status = answers[request.url!];
    if (status) response.writeHead(status).end();
  });
  const at = (path: string) => receiver.url.replace('/hook', path);
  const { endpointId } = await world.createEndpoint(at('/ok'));
  const move = (path: string) => world.write((tx) => world.deliveries.moveEndpoint(tx, endpointId, at(path)));
  world.createWorker({ timeoutMs: 30_000 }).start();

  const success = await world.enqueue(endpointId);
  await world.untilStatus(success, 'success');
  await move('/no');
  const cancelled = await world.enqueue(endpointId);
  await world.untilStatus(cancelled, 'retrying');
  for (const enabled of [false, true])
    await world.write((tx) => world.deliveries.setEnabled(tx, endpointId, enabled));
  const failure = await world.enqueue(endpointId);
  await world.untilStatus(failure, 'retrying');
  await world.database.pool.query('update deliveries.due set due_at = now() where delivery_id = $1', [
    failure,
  ]);
  await world.untilStatus(failure, 'failure');
  const retrying = await world.enqueue(endpointId);
  await world.untilStatus(retrying, 'retrying');
  await move('/hang');
  const delivering = await world.enqueue(endpointId);
  await world.untilStatus(delivering, 'delivering');
  const later = await world.write((tx) =>
    world.deliveries.enqueue({ ...tx, afterCommit: () => undefined }, [
      { endpointId, eventType: 'joined', body: '{}' },
    ]),
  );
  await world.database.pool.query(
    `update deliveries.due set due_at = now() + interval '1 hour', leased_until = null, claim = null
     where delivery_id = $1`,
    [later[0]],
  );

  const found = Object.fromEntries(
    await Promise.all(
      (['queued', 'delivering', 'success', 'retrying', 'failure', 'cancelled'] as const).map(
        async (status) => [status, await idsOf(world, { endpointId, status })] as const,
      ),
    ),
  );
  expect(found).toEqual({
    queued: later,
    delivering: [delivering],
    success: [success],
    retrying: [retrying],
    failure: [failure],
    cancelled: [cancelled],
  });
  const newestFirst = (...ids: string[]): string[] => ids.toSorted().toReversed();
  const mixed: [Query['status'], string[]][] = [
    ['failing', newestFirst(retrying, failure)],
    [['failing', 'failure', 'queued'], newestFirst(retrying, failure, later[0]!)],
    [['success', 'cancelled', 'delivering'], newestFirst(success, cancelled, delivering)],
  ];
  for (const [status, expected] of mixed) {
    expect(await idsOf(world, { endpointId, status })).toEqual(expected);
    const pages = await pagesOf(world, { endpointId, status, limit: 1 });
    expect(pages.flat()).toEqual(expected);
  }
  expect(await idsOf(world, { endpointId, eventType: 'joined' })).toEqual(later);
  expect(await idsOf(world, { endpointId, eventType: 'joined', status: 'queued' })).toEqual(later);
  expect(await idsOf(world, { endpointId, eventType: 'joined', status: 'failure' })).toEqual([]);
});

test('rare deliveries among many are found page by page, and failures without a walk over successes', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const longAgo = ago({ days: 60 });
  const [rare] = await insertEnded(world, [longAgo], endpointId, { eventType: 'cta_click' });
  const [failed] = await insertEnded(world, [longAgo], endpointId, { state: 'failure' });
  // One page searches five thousand deliveries, of one day or of many.
  for (const [days, count] of [
    [0, 6000],
    [5, 3000],
    [30, 2000],
  ] as const) {
    const common = Array.from({ length: count }, () => ago({ days }));
    await insertEnded(world, common, endpointId);
  }
  for (const status of [undefined, 'success'] as const)
    expect(await pagesOf(world, { endpointId, eventType: 'cta_click', status, limit: 10 })).toEqual([
      [],
      [],
      [rare],
    ]);
  // The successes are searched to the depth of a page, so the failure behind it waits for its page.
  const both = await pagesOf(world, {
    endpointId,
    eventType: 'cta_click',
    status: ['success', 'cancelled', 'queued'],
    limit: 10,
  });
  expect(both).toEqual([[], [], [rare]]);
  expect(await idsOf(world, { endpointId, status: 'failure' })).toEqual([failed]);
});

test('pages continue over days, empty days and the default partition, and a time range excludes its end', async () => {
  await using world = await createDeliveryWorld();
  const { pool } = world.database;
  const { endpointId } = await world.createEndpoint('https://example.com/');
  // There are no partitions for two to four days ago, for a month from now and for last year.
  await ensurePartitions(pool, deliveriesModule.partitions, { now: ago({ days: 39 }), daysAhead: 34 });
  const moments = [-30, 0, 1, 2, 13, 14, 15, 16, 31, 40, 200].flatMap((days) => [
    ago({ days }),
    ago({ days, ms: 1 }),
  ]);
  const insertAtAll = (kind: Kind) => insertEnded(world, moments, endpointId, kind);
  const successes = await insertAtAll({});
  const clicks = await insertAtAll({ eventType: 'cta_click' });
  const failures = await insertAtAll({ state: 'failure' });
  const failedClicks = await insertAtAll({ state: 'failure', eventType: 'cta_click' });
  const cancelled = await insertAtAll({ state: 'cancelled' });
  const { rows } = await pool.query('select count(*)::int from deliveries.delivery_default');
  expect(rows[0].count).toBeGreaterThan(0);

  const lists: [Omit<Query, 'endpointId' | 'limit'>, string[]][] = [
    [{}, [...successes, ...clicks, ...failures, ...failedClicks, ...cancelled]],
    [{ status: 'success' }, [...successes, ...clicks]],
    [{ status: 'failure' }, [...failures, ...failedClicks]],
    [{ status: 'cancelled' }, cancelled],
    [{ status: ['failing', 'cancelled'] }, [...failures, ...failedClicks, ...cancelled]],
    [{ status: ['success', 'failure'], eventType: 'cta_click' }, [...clicks, ...failedClicks]],
    [{ eventType: 'cta_click' }, [...clicks, ...failedClicks]],
    [{ eventType: 'cta_click', status: 'success' }, clicks],
    [{ eventType: 'cta_click', status: 'failure' }, failedClicks],
  ];
  for (const [filters, expected] of lists) {
    const newestFirst = expected.toSorted().toReversed();
    for (const limit of [4, 100]) {
      const pages = await pagesOf(world, { endpointId, limit, ...filters });
      expect(pages.flat(), JSON.stringify({ filters, limit })).toEqual(newestFirst);
      expect(pages.length).toBe(Math.ceil(newestFirst.length / limit));
    }
    const range = { from: ago({ days: 31 }).toISOString(), to: ago({ days: 1 }).toISOString() };
    const inRange = newestFirst.filter(
      (id) => id >= idAt(new Date(range.from)) && id < idAt(new Date(range.to)),
    );
    expect(await idsOf(world, { endpointId, ...filters, ...range })).toEqual(inRange);
  }
});

test('the newest deliveries are read while an older day is locked', async () => {
  await using world = await createDeliveryWorld();
  const { pool } = world.database;
  await ensurePartitions(pool, deliveriesModule.partitions, { now: ago({ days: 30 }), daysAhead: 0 });
  const { endpointId } = await world.createEndpoint('https://example.com/');
  const today = Array.from({ length: 4 }, () => ago({ days: 0 }));
  const recent = (await insertEnded(world, today, endpointId)).toSorted().toReversed();
  await insertEnded(world, [ago({ days: 30 })], endpointId);
  const client = await pool.connect();
  try {
    const suffix = ago({ days: 30 }).toISOString().slice(0, 10).replaceAll('-', '');
    await client.query(`begin; lock table deliveries.delivery_${suffix}, deliveries.attempt_${suffix}`);
    for (const filters of [{}, { status: 'success' }, { eventType: 'registered' }] as const) {
      const newest = await world.deliveries.list(world.reader(), { endpointId, limit: 1, ...filters });
      const cursor = newest.pagination.nextCursor ?? undefined;
      const next = await world.deliveries.list(world.reader(), { endpointId, limit: 2, cursor, ...filters });
      expect([...newest.data, ...next.data].map(({ id }) => id)).toEqual(recent.slice(0, 3));
    }
    const { status } = await world.deliveries.get(world.reader(), { deliveryId: recent[3]! });
    expect(status).toBe('success');
  } finally {
    await client.query('rollback');
    client.release();
  }
});
