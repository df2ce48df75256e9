// The conditions by which a worker leaves out rounds that would find nothing.
import { createRepeats, createWorkSearch, modules, type WorkerParts } from '@service/composition';
import { createJobs, defineJob } from '@service/jobs';
import { createLog } from '@service/log';
import pg from 'pg';
import { expect, vi } from 'vitest';
import { z } from 'zod';
import { test } from '../support/database-test.ts';

type Values = Record<string, unknown>;

/** A value of each type, for columns that a row must have. */
const fillings: Values = {
  uuid: '01a00000-0000-7000-8000-000000000001',
  text: 'text',
  jsonb: '[]',
  boolean: false,
  smallint: 1,
  integer: 1,
  'timestamp with time zone': '2026-01-01T00:00:00Z',
};

async function insert(pool: pg.Pool, name: string, values: Values): Promise<void> {
  const [schema, table] = name.split('.');
  const { rows } = await pool.query<{ name: string; type: string }>(
    `select column_name as name, data_type as type from information_schema.columns
     where table_schema = $1 and table_name = $2 and is_nullable = 'NO' and column_default is null`,
    [schema, table],
  );
  const row = {
    ...Object.fromEntries(rows.map((column) => [column.name, fillings[column.type]])),
    ...values,
  };
  const places = Object.keys(row).map((_, index) => `$${index + 1}`);
  const columns = Object.keys(row).join(', ');
  await pool.query(`insert into ${name} (${columns}) values (${places.join(', ')})`, Object.values(row));
}

const [past, future] = ['2026-01-01T00:00:00Z', '2999-01-01T00:00:00Z'];

/** The work that finds a row. With `time` it finds the row when the time in this column has come. */
const rows: [work: string, table: string, values: Values, time?: string][] = [
  ['session_clock', 'webinars.session', sessionOf('scheduled'), 'starts_at'],
  ['session_clock', 'webinars.session', sessionOf('live'), 'ends_at'],
  ['session_clock', 'webinars.session', sessionOf('ended'), 'closing_at'],
  ['session_clock', 'webinars.session', sessionOf('ended'), 'no_show_at'],
  ['session_clock', 'attendees.attendance', {}, 'check_at'],
  ['erasures', 'attendees.erasure', {}, 'next_at'],
  ['automation_timers', 'automations.timer', {}, 'due_at'],
  ['mail_timers', 'mails.session_timer', { kind: 'plan' }, 'due_at'],
  ['due_mails', 'mails.due', {}],
  ['revenue_credits', 'revenue.postponed_event', {}, 'due_at'],
  ['revenue_credits', 'revenue.credit_retry', {}],
  ['revenue_credits', 'revenue.credit_run', { state: 'running' }],
  ['purge_deleted_workspaces', 'accounts.deleted_workspace', {}, 'next_purge_at'],
  ['due_contact_changes', 'contacts.change', { is_taken: false }],
  ['due_contact_changes', 'contacts.change', { is_taken: true }],
  ['due_contact_changes', 'contacts.import_job', {}, 'due_at'],
  ['parked_changes', 'contacts.change', { parked_at: past }],
  ['contact_runs', 'contacts.run', { status: 'running' }, 'next_at'],
  ['due_deliveries', 'deliveries.due', { attempts: 0 }, 'due_at'],
  ['due_deliveries', 'deliveries.due', { attempts: 1 }, 'due_at'],
  ['due_probes', 'deliveries.endpoint_health', { state: 'paused' }, 'probe_at'],
  ['delivery_upkeep', 'deliveries.endpoint_health', { state: 'draining' }, 'probe_at'],
  ['delivery_upkeep', 'deliveries.cancellation', {}],
  ['delivery_upkeep', 'deliveries.flush', { state: 'running' }, 'next_at'],
  ['delivery_upkeep', 'deliveries.recovery', { state: 'running', statuses: '{}' }, 'next_at'],
  ['delivery_upkeep', 'deliveries.suspended_account', {}],
];

function sessionOf(status: string): Values {
  return { status, control: 'clock', kind: 'scheduled', starts_at: future, ends_at: future };
}

const names = [...modules.flatMap(({ workConditions = {} }) => Object.keys(workConditions)), 'jobs'];

/** Finds the work that has something to do. The first round of each work is behind it. */
async function searchIn(pool: pg.Pool): Promise<() => Promise<string[]>> {
  const search = createWorkSearch(pool, createLog('test', { level: 'silent' }));
  const find = async (): Promise<string[]> => {
    const reading = await search.read();
    return names.filter((name) => reading.mayFind(name));
  };
  expect(await find()).toEqual(names);
  return find;
}

test('each work is found when a row of it is due, and not before', async ({ pool }) => {
  const find = await searchIn(pool);
  expect(await find()).toEqual([]);
  for (const [work, table, values, time] of rows) {
    if (time !== undefined) {
      await insert(pool, table, { ...values, [time]: future });
      expect(await find(), `${table} with a later ${time}`).toEqual([]);
      await pool.query(`delete from ${table}`);
    }
    await insert(pool, table, { ...values, ...(time !== undefined && { [time]: past }) });
    expect(await find(), `${table} with ${JSON.stringify(values)} ${time}`).toEqual([work]);
    await pool.query(`delete from ${table}`);
  }
  const job = defineJob({ name: 'test.job', payload: z.object({}) });
  await createJobs(pool).enqueueNow(job, {}, { runAt: new Date(Date.now() + 3_600_000) });
  expect(await find()).toEqual([]);
  await createJobs(pool).enqueueNow(job, {});
  expect(await find()).toEqual(['jobs']);
  expect(names.filter((name) => name !== 'jobs' && !rows.some(([work]) => work === name))).toEqual([]);
});

test('conditions have the names of repeated work, and all repeated work has one', () => {
  const repeated = createRepeats({} as WorkerParts).map(({ name }) => name);
  const others = [
    'due_contact_changes',
    'due_deliveries',
    'due_mails',
    'due_probes',
    'delivery_upkeep',
    'jobs',
  ];
  expect(names.toSorted()).toEqual([...repeated, ...others].toSorted());
});

test('work without anything to do has a round in each minute, each work at another second', async ({
  pool,
}) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const find = await searchIn(pool);
    const rounds: string[][] = [];
    for (let second = 0; second < 60; second += 1) {
      vi.advanceTimersByTime(1000);
      rounds.push(await find());
    }
    expect(rounds.flat().toSorted()).toEqual(names.toSorted());
    expect(Math.max(...rounds.map(({ length }) => length))).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});

test('calls of one moment share a statement, and a later one sees what was committed before it', async ({
  pool,
}) => {
  const search = createWorkSearch(pool, createLog('test', { level: 'silent' }));
  await search.mayFind('due_mails');
  const [one, other] = [search.read(), search.read()];
  expect(await one).toBe(await other);
  await insert(pool, 'mails.due', {});
  expect(await search.mayFind('due_mails')).toBe(true);
});

test('an answer that nothing is due is used again until a transaction commits or 5 seconds have passed', async ({
  pool,
}) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  const sent = vi.spyOn(pg.Client.prototype, 'query');
  try {
    const find = await searchIn(pool);
    const isAsked = async (): Promise<boolean> => {
      sent.mockClear();
      await find();
      return JSON.stringify(sent.mock.calls).includes('composition.find_work');
    };
    // Other tests write to databases of the same server, which changes the snapshot too.
    const untilNotAsked = () => vi.waitFor(async () => expect(await isAsked()).toBe(false), { interval: 1 });
    await untilNotAsked();
    await insert(pool, 'mails.session_timer', { kind: 'plan', due_at: future });
    expect(await isAsked()).toBe(true);
    await untilNotAsked();
    vi.advanceTimersByTime(5000);
    expect(await isAsked()).toBe(true);
    await pool.query(`update mails.session_timer set due_at = now() + interval '4.9 seconds'`);
    expect(await find()).toContain('mail_timers');
  } finally {
    vi.useRealTimers();
  }
});

test('the wait for work ends after 5 seconds, also if the answer that nothing is due was renewed meanwhile', async ({
  pool,
}) => {
  vi.useFakeTimers({ toFake: ['performance'] });
  try {
    const search = createWorkSearch(pool, createLog('test', { level: 'silent' }));
    await search.read();
    const wait = search.untilWork();
    expect(wait).toBeDefined();
    vi.advanceTimersByTime(5000);
    await search.read();
    await wait;
  } finally {
    vi.useRealTimers();
  }
});

test('while a table is locked all work has its rounds', async ({ pool }) => {
  const find = await searchIn(pool);
  expect(await find()).toEqual([]);
  const locking = await pool.connect();
  try {
    await locking.query('begin; lock table mails.due in access exclusive mode');
    await insert(pool, 'mails.session_timer', { kind: 'plan', due_at: future });
    expect(await find()).toEqual(names);
    expect(await find()).toEqual(names);
  } finally {
    await locking.query('rollback');
    locking.release();
  }
  await vi.waitFor(async () => expect(await find()).toEqual([]));
});
