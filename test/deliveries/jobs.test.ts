// packages/jobs on a real queue.
import { createWorkSearch } from '@service/composition';
import {
  createJobs,
  createPatientPool,
  defineJob,
  defineTask,
  startJobRunner,
  type JobTask,
} from '@service/jobs';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { silentLog } from './delivery-world.ts';

const greetJob = defineJob({ name: 'test.greet', payload: z.object({ name: z.string() }) });

/** Runs a task's jobs until it is disposed of. */
async function runJobs(
  pool: pg.Pool,
  task: JobTask,
  search: Pick<Parameters<typeof startJobRunner>[0], 'listenOn' | 'mayFind'> = {},
): Promise<AsyncDisposable> {
  const runner = await startJobRunner({ pool, tasks: [task], log: silentLog, ...search });
  return {
    async [Symbol.asyncDispose]() {
      await runner.stop();
      await runner.ended;
    },
  };
}

test('a job exists only if its transaction commits, and of waiting jobs with the same key the last one is kept', async () => {
  await using db = await testDatabase();
  const jobs = createJobs(db.database.pool);
  const rolledBack = db.database.transaction(async (tx) => {
    await jobs.enqueue(tx, greetJob, { name: 'rolled back' });
    throw new Error('changed my mind');
  });
  await expect(rolledBack).rejects.toThrow('changed my mind');
  await db.database.transaction((tx) => jobs.enqueue(tx, greetJob, { name: "O'Hara ?" }));
  await jobs.enqueueNow(greetJob, { name: 'replaced' }, { key: 'one' });
  await jobs.enqueueNow(greetJob, { name: 'kept' }, { key: 'one' });
  await jobs.enqueueNow(greetJob, { name: 'later' }, { runAt: new Date(Date.now() + 3_600_000) });

  const greeted: string[] = [];
  const task = defineTask(greetJob, async ({ name }) => void greeted.push(name));
  {
    await using _runner = await runJobs(db.database.pool, task);
    await eventually('both jobs', () => greeted.length >= 2);
  }
  expect(greeted.toSorted()).toEqual(["O'Hara ?", 'kept']);
});

test('a job of a later time runs when the search for work finds it, without a notification', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const greeted: string[] = [];
  const task = defineTask(greetJob, async ({ name }) => void greeted.push(name));
  const { mayFind } = createWorkSearch(pool, silentLog);
  // The first round of each work is not left out.
  await mayFind('jobs');
  await using _runner = await runJobs(pool, task, { listenOn: db.database, mayFind });
  await createJobs(pool).enqueueNow(greetJob, { name: 'later' }, { runAt: new Date(Date.now() + 500) });
  await eventually('the job', () => greeted.length === 1);
});

test('a payload that does not parse never reaches the task', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  await createJobs(pool).enqueueNow(defineJob({ name: 'test.greet', payload: z.unknown() }), {
    name: 7,
  });
  let calls = 0;
  const task = defineTask(greetJob, async () => void (calls += 1));
  await using _runner = await runJobs(pool, task);
  const error = await eventually('the failure', async () => {
    const { rows } = await pool.query(`select last_error from graphile_worker._private_jobs`);
    return rows[0]?.last_error as string | null;
  });
  expect(error).toContain('expected string');
  expect(calls).toBe(0);
});

test('a job ends even if its connection is lost at its end, and the process goes on', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const blocker = await db.database.connect();
  const task = defineTask(greetJob, async () => {
    await blocker.query('begin; lock table graphile_worker._private_jobs in exclusive mode');
  });
  await createJobs(pool).enqueueNow(greetJob, { name: 'Ada' });
  await using _runner = await runJobs(pool, task);
  const { pid } = await eventually('its end to wait', async () => {
    const { rows } = await blocker.query<{ pid: number }>(
      `select pid from pg_stat_activity
       where datname = current_database() and wait_event_type = 'Lock' and query like '%_private_jobs%'`,
    );
    return rows[0];
  });
  await blocker.query('select pg_terminate_backend($1)', [pid]);
  await blocker.query('rollback');
  await blocker.end();
  await eventually('the job to be gone', async () => {
    return (await pool.query('select from graphile_worker._private_jobs')).rowCount === 0;
  });
});

test('a connection that was lost does not go back into the pool', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const client = await createPatientPool(pool).connect();
  const lost = client.query('select pg_terminate_backend(pg_backend_pid())');
  await expect(lost).rejects.toMatchObject({ code: '57P03' });
  const before = pool.totalCount;
  client.release();
  expect(pool.totalCount).toBe(before - 1);
});
