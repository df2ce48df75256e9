import { createId, idAt } from '@service/database';
import pg from 'pg';
import { expect, test } from 'vitest';
import { createFormerDatabase } from '../support/former-database.ts';

const dayMs = 86_400_000;
const ours = '20261122-webinars-months-of-events';

/** A database from before monthly partitions, with daily partitions as a worker made them. */
async function createDailyPartitions(days: readonly string[]) {
  const former = await createFormerDatabase((name) => name < '20261122');
  const { url, pool } = former;
  for (const day of days) {
    const start = new Date(`${day}T00:00:00Z`);
    await pool.query(
      `create table webinars.attendee_event_${day.replaceAll('-', '')} partition of webinars.attendee_event
       for values from ('${idAt(start)}') to ('${idAt(new Date(start.getTime() + dayMs))}')`,
    );
  }
  return {
    url,
    pool,
    write: (at: string | Date) => insertEvent(pool, new Date(at)),
    ids: async () =>
      (await pool.query<{ id: string }>('select id from webinars.attendee_event order by id')).rows.map(
        (row) => row.id,
      ),
    /** The number of rows of each partition. */
    rows: async () => {
      const { rows } = await pool.query<{ name: string; count: number }>(
        `select tableoid::regclass::text as name, count(*)::int from webinars.attendee_event group by 1`,
      );
      return Object.fromEntries(
        rows.map((row) => [row.name.replace('webinars.attendee_event_', ''), row.count]),
      );
    },
    migrate: () => former.migrate((name) => name < '20261122' || name === ours),
    [Symbol.asyncDispose]: () => former[Symbol.asyncDispose](),
  };
}

async function insertEvent(client: pg.Pool | pg.Client, at: Date): Promise<string> {
  const id = createId(at);
  await client.query(
    `insert into webinars.attendee_event
       (account_id, id, webinar_id, session_id, registration_id, type, occurred_at, data)
     values ($1, $1, $1, $1, $1, 'cta_click', $2, '{"interactionId": "offer"}')`,
    [id, at],
  );
  return id;
}

const dayOf = (days: number): string => new Date(Date.now() + days * dayMs).toISOString().slice(0, 10);
const monthOf = (day: string): string => day.slice(0, 7).replace('-', '');

test('days of several months and the default partition become months, and no event is lost', async () => {
  const [yesterday, today, tomorrow] = [dayOf(-1), dayOf(0), dayOf(1)];
  await using db = await createDailyPartitions([
    '2026-08-30',
    '2026-08-31',
    '2026-09-01',
    yesterday,
    today,
    tomorrow,
  ]);
  const moments = [
    '2026-08-30T00:00:00Z',
    '2026-08-31T23:59:59.999Z',
    '2026-09-01T00:00:00Z',
    // These days had no partition.
    '2026-08-02T12:00:00Z',
    '2026-09-30T12:00:00Z',
    '2026-06-15T12:00:00Z',
    `${yesterday}T12:00:00Z`,
    `${today}T12:00:00Z`,
    `${tomorrow}T12:00:00Z`,
  ];
  for (const at of moments) await db.write(at);
  const before = await db.ids();
  expect(before).toHaveLength(moments.length);

  expect(await db.migrate()).toEqual([ours]);
  expect(await db.ids()).toEqual(before);
  const expected: Record<string, number> = { '202608': 3, '202609': 2, default: 1 };
  for (const day of [yesterday, today, tomorrow]) expected[monthOf(day)] = (expected[monthOf(day)] ?? 0) + 1;
  expect(await db.rows()).toEqual(expected);
});

test('indexes and keys are those of the parent', async () => {
  await using db = await createDailyPartitions(['2026-08-30']);
  await db.write('2026-08-30T12:00:00Z');
  await db.migrate();
  const { rows } = await db.pool.query(
    `select pg_get_indexdef(indexrelid) as definition from pg_index
     where indrelid = 'webinars.attendee_event_202608'::regclass and indisvalid`,
  );
  expect(rows.filter(({ definition }) => /UNIQUE INDEX .*\(account_id, id\)/.test(definition))).toHaveLength(
    1,
  );
  const { rows: parent } = await db.pool.query(
    `select count(*)::int from pg_index where indrelid = 'webinars.attendee_event'::regclass`,
  );
  expect(rows).toHaveLength(parent[0].count);
  const { rows: checks } = await db.pool.query(
    `select conname from pg_constraint where conrelid = 'webinars.attendee_event_202608'::regclass and contype = 'c'`,
  );
  expect(checks).toEqual([]);
});

test('events written during the migration are kept, also those of ended days', async () => {
  await using db = await createDailyPartitions(['2026-08-30', dayOf(0)]);
  for (let count = 0; count < 50; count += 1) await db.write('2026-08-30T12:00:00Z');
  const traffic = startTraffic(db.url);
  await traffic.begun;
  await db.migrate();
  const written = await traffic.stop();
  expect(written.length).toBeGreaterThan(2);
  expect(await db.ids()).toEqual(expect.arrayContaining(written));
  expect(await db.ids()).toHaveLength(50 + written.length);
});

test('a long read delays the migration, which then goes on', async () => {
  await using db = await createDailyPartitions(['2026-08-30']);
  await db.write('2026-08-30T12:00:00Z');
  const reader = await db.pool.connect();
  await reader.query('begin');
  await reader.query('select count(*) from webinars.attendee_event');
  const migrating = db.migrate();
  // A writer never waits as long as the read takes.
  for (let count = 0; count < 5; count += 1) await db.write('2026-08-30T12:00:00Z');
  await reader.query('commit');
  reader.release();
  await migrating;
  expect(await db.rows()).toEqual({ '202608': 6 });
});

/** Continuously writes events of today and of an ended day. */
function startTraffic(url: string) {
  const client = new pg.Client({ connectionString: url, application_name: 'traffic' });
  const begun = Promise.withResolvers<void>();
  let isStopped = false;
  const run = async (): Promise<string[]> => {
    await client.connect();
    const written: string[] = [];
    try {
      while (!isStopped) {
        written.push(await insertEvent(client, new Date()));
        written.push(await insertEvent(client, new Date('2026-08-30T13:00:00Z')));
        begun.resolve();
      }
    } finally {
      await client.end();
    }
    return written;
  };
  const ended = run();
  ended.catch(begun.reject);
  return {
    begun: begun.promise,
    stop() {
      isStopped = true;
      return ended;
    },
  };
}
