// Stored counts of deliveries must never differ from the deliveries.
import { createId, dropPartitionsBefore, ensurePartitions, idAt } from '@service/database';
import { countQuarters, deliveriesModule } from '@service/deliveries';
import { expect, test } from 'vitest';
import { createDeliveryWorld, type DeliveryWorld } from './delivery-world.ts';
import { insertHistory, type HistoryRow } from './history-rows.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;
const quarterMs = 15 * minuteMs;

interface Span {
  from: Date;
  to: Date;
  utcOffsetMinutes?: number;
}

const states = ['success', 'success', 'success', 'failure', 'cancelled', 'retrying', 'queued'] as const;

/** Whole numbers below `limit`, the same in each run. */
function createRandom(seed: number) {
  let last = seed;
  return (limit: number): number => (last = (last * 48_271) % 2_147_483_647) % limit;
}

/** The expected histogram, counted bar by bar from the rows. */
async function countRows(
  { database, accountId }: DeliveryWorld,
  { bars, to }: { bars: { from: string }[]; to: Date },
  endpointIds: readonly string[] | undefined,
) {
  const { rows } = await database.pool.query(
    `select
       count(delivery.id) filter (where due.delivery_id is null and ended_as is null)::int as success,
       count(*) filter (where ended_as = 'failure')::int as failure,
       count(*) filter (where ended_as = 'cancelled')::int as cancelled,
       count(due.delivery_id)::int as waiting
     from unnest($2::uuid[], $3::uuid[]) with ordinality as bar (since, before, number)
     left join deliveries.delivery on delivery.account_id = $1 and delivery.id >= bar.since and delivery.id < bar.before
       and ($4::uuid[] is null or delivery.endpoint_id = any($4))
     left join deliveries.due on due.delivery_id = delivery.id and due.account_id = delivery.account_id
     group by bar.number order by bar.number`,
    [
      accountId,
      bars.map(({ from }) => idAt(new Date(from))),
      bars.map((_, index) => idAt(new Date(bars[index + 1]?.from ?? to))),
      endpointIds ?? null,
    ],
  );
  return rows;
}

async function expectExact(world: DeliveryWorld, span: Span, endpointIds?: string[]): Promise<void> {
  const query = { utcOffsetMinutes: 0, ...span, endpointIds };
  const { bars, isCapped } = await world.deliveries.histogram(world.reader(), query);
  expect(isCapped).toBe(false);
  // The first bar begins where the range does.
  const shown = bars.map((bar, index) => (index === 0 ? { ...bar, from: span.from.toISOString() } : bar));
  const counts = bars.map(({ success, failure, cancelled, waiting }) => ({
    success,
    failure,
    cancelled,
    waiting,
  }));
  expect(counts).toEqual(await countRows(world, { bars: shown, to: span.to }, endpointIds));
}

const storedQuarters = async ({ database: { pool } }: DeliveryWorld): Promise<number> =>
  (await pool.query('select from deliveries.delivery_count')).rowCount!;

test('after a random history, histograms with stored counts are what the rows say, for each endpoint and any time', async () => {
  await using world = await createDeliveryWorld();
  const random = createRandom(20_261_123);
  const endpoints: string[] = [];
  for (const name of ['a', 'b', 'c'])
    endpoints.push((await world.createEndpoint(`https://${name}.example/`)).endpointId);
  const now = new Date();
  const start = now.getTime() - 8 * dayMs;
  const after = new Date(now.getTime() + 2 * hourMs);
  const stepMs = 2 * dayMs;
  const expectAllExact = async () => {
    const spans: Span[] = [
      { from: new Date(start - hourMs), to: after },
      { from: new Date(now.getTime() - dayMs), to: now, utcOffsetMinutes: 330 },
      { from: new Date(start + 7 * minuteMs), to: new Date(start + stepMs + 3 * minuteMs) },
      { from: new Date(now.getTime() - 50 * minuteMs), to: after },
    ];
    for (const span of spans)
      for (const scope of [undefined, [endpoints[0]!], [endpoints[1]!, endpoints[2]!]])
        await expectExact(world, span, scope);
  };

  for (let step = 0; step < 4; step += 1) {
    const from = start + step * stepMs;
    const rows = Array.from({ length: 150 }, (): HistoryRow => ({
      endpointId: endpoints[random(10) === 0 ? 1 : random(2) * 2]!,
      at: new Date(from + random(stepMs)),
      state: states[random(states.length)]!,
      ...(random(3) > 0 && { durationMs: random(500) }),
    }));
    const ids = await insertHistory(world, rows);
    // Others than the world's are counted in the same statement.
    await insertHistory({ ...world, accountId: createId() }, rows.slice(0, 20));
    await expectAllExact();
    await countQuarters(world.database, { now: new Date(from + stepMs) });
    await expectAllExact();
    // Deliveries of counted quarters end later, in each way.
    const late = ids.filter(() => random(3) === 0);
    await world.database.pool.query(
      `with ended as (delete from deliveries.due where delivery_id = any($1) returning delivery_id)
       update deliveries.delivery set ended_as = case when id < $2 then 'failure' end
       from ended where id = delivery_id`,
      [late, idAt(new Date(from + stepMs / 2))],
    );
    for (const [index, { state, endpointId }] of rows.entries())
      if ((state === 'failure' || state === 'retrying') && random(3) === 0)
        await world.write((tx) => world.deliveries.redeliver(tx, { deliveryId: ids[index]!, endpointId }));
    await expectAllExact();
  }
  await world.write((tx) => world.deliveries.setEnabled(tx, endpoints[2]!, false));
  await expectAllExact();
  await countQuarters(world.database, { now: after });
  await expectAllExact();
  expect(await storedQuarters(world)).toBeGreaterThan(300);
});

test('a delivery whose transaction is still open when its quarter ends is counted after its commit', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://a.example/');
  const { pool } = world.database;
  const now = new Date();
  const later = new Date(now.getTime() + hourMs);
  const span = { from: new Date(now.getTime() - dayMs), to: new Date(now.getTime() + 5 * minuteMs) };
  await insertHistory(world, [{ endpointId, at: now, state: 'success' }]);
  const client = await pool.connect();
  try {
    await client.query('begin');
    await client.query(
      `insert into deliveries.delivery (id, account_id, endpoint_id, event_type, body, is_refire, attempts_max, created_at)
       values ($1, $2, $3, 'registered', '{}', false, 3, now())`,
      [createId(now), world.accountId, endpointId],
    );
    await countQuarters(world.database, { now: later });
    expect(await storedQuarters(world)).toBe(0);
    await client.query('commit');
  } finally {
    client.release();
  }
  await countQuarters(world.database, { now: later });
  expect(await storedQuarters(world)).toBe(2);
  await expectExact(world, span);
});

test('a quarter is not counted within a minute of its end', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://a.example/');
  const start = Math.floor(Date.now() / quarterMs) * quarterMs - quarterMs;
  await insertHistory(world, [{ endpointId, at: new Date(start), state: 'success' }]);
  await countQuarters(world.database, { now: new Date(start + quarterMs + minuteMs - 1) });
  expect(await storedQuarters(world)).toBe(0);
  await countQuarters(world.database, { now: new Date(start + quarterMs + minuteMs) });
  expect(await storedQuarters(world)).toBe(2);
});

test('workers that count at once, and one that ends before its commit, leave each delivery counted once', async () => {
  await using world = await createDeliveryWorld();
  const random = createRandom(15);
  const endpoints = [
    (await world.createEndpoint('https://a.example/')).endpointId,
    (await world.createEndpoint('https://b.example/')).endpointId,
  ];
  const to = new Date();
  const from = new Date(to.getTime() - dayMs);
  await insertHistory(
    world,
    Array.from({ length: 400 }, () => ({
      endpointId: endpoints[random(2)]!,
      at: new Date(from.getTime() + random(dayMs)),
      state: 'success' as const,
      durationMs: random(100),
    })),
  );
  const now = new Date(to.getTime() + hourMs);
  const killed: Pick<DeliveryWorld['database'], 'transaction'> = {
    transaction: (work) =>
      world.database.transaction(async (tx) => {
        await work(tx);
        throw new Error('killed');
      }),
  };
  await expect(countQuarters(killed, { now })).rejects.toThrow('killed');
  expect(await storedQuarters(world)).toBe(0);
  await Promise.all(Array.from({ length: 4 }, () => countQuarters(world.database, { now: to })));
  await countQuarters(world.database, { now });
  await expectExact(world, { from, to });
  for (const endpointId of endpoints) await expectExact(world, { from, to }, [endpointId]);
  const { rows } = await world.database.pool.query(
    'select sum(deliveries)::int as sum from deliveries.delivery_count where endpoint_id = any($1)',
    [endpoints],
  );
  expect(rows[0].sum).toBe(400);
});

test('percentiles come from stored durations of the newest deliveries of each quarter', async () => {
  await using world = await createDeliveryWorld();
  const { endpointId } = await world.createEndpoint('https://a.example/');
  const start = Math.floor(Date.now() / dayMs) * dayMs - dayMs;
  const at = (quarter: number, index: number) => new Date(start + quarter * quarterMs + index * 1000);
  const made = (quarter: number, count: number, durationMs: (index: number) => number): HistoryRow[] =>
    Array.from({ length: count }, (_, index) => ({
      endpointId,
      at: at(quarter, index),
      state: 'success',
      durationMs: durationMs(index),
    }));
  // Of thirty the newest 25 are stored, 5 to 29; the quarter after it has no tries.
  await insertHistory(world, [
    ...made(0, 30, (index) => index),
    { endpointId, at: at(1, 0), state: 'queued' },
    ...made(4, 2, (index) => 1000 * (index + 1)),
  ]);
  await countQuarters(world.database);
  const span = { from: new Date(start), to: new Date(start + dayMs), utcOffsetMinutes: 0 };
  for (const endpointIds of [undefined, [endpointId]]) {
    const { bars } = await world.deliveries.histogram(world.reader(), { ...span, endpointIds });
    expect(bars[0]).toMatchObject({ success: 30, waiting: 1, p50Ms: 17, p95Ms: 28 });
    expect(bars[2]).toMatchObject({ success: 2, p50Ms: 1000, p95Ms: 2000 });
    expect(bars[3]).toMatchObject({ success: 0, p50Ms: null, p95Ms: null });
  }
});

test('counts are dropped together with their deliveries, and stay while a delivery of their day waits', async () => {
  await using world = await createDeliveryWorld();
  const { pool } = world.database;
  const { endpointId } = await world.createEndpoint('https://a.example/');
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  const daysAgo = (days: number): Date => new Date(today - days * dayMs + 5 * hourMs);
  await ensurePartitions(pool, deliveriesModule.partitions, { now: daysAgo(5), daysAhead: 5 });
  await insertHistory(
    world,
    [5, 4, 3, 2].flatMap((days): HistoryRow[] => [
      { endpointId, at: daysAgo(days), state: 'success', durationMs: 1 },
      { endpointId, at: daysAgo(days), state: days === 4 ? 'queued' : 'failure', durationMs: 1 },
    ]),
  );
  await countQuarters(world.database);
  expect(await storedQuarters(world)).toBe(8);
  for (let round = 0; round < 3; round += 1)
    await dropPartitionsBefore(pool, deliveriesModule.partitions, new Date(today - 2 * dayMs));
  const { rows } = await pool.query(
    "select distinct date_trunc('day', uuid_extract_timestamp(first_id) at time zone 'UTC') as day from deliveries.delivery_count order by 1",
  );
  expect(rows).toHaveLength(2);
  expect(await storedQuarters(world)).toBe(4);
  const span = { from: new Date(today - 6 * dayMs), to: new Date(today) };
  await expectExact(world, span);
  await expectExact(world, span, [endpointId]);
});
