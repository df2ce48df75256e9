// Crons run by the database's clock. graphile-worker's own crons use the clock of the process, and a wrong one does lasting
// harm (0.18, dist/cron.js): a worker that is a month ahead stores last_execution a month ahead, and until then no worker runs
// any cron; a clock that jumps ahead queues every run on the way, one after the other; one that is set back waits for the old
// time.
import { createRepeater, type Repeater } from '@service/background';
import { column, queryOn, statement } from '@service/database';
import type { Log } from '@service/log';
import { parseCronItem } from 'graphile-worker';
import type pg from 'pg';
import { agreedClockFlag, type CronTask } from './job.ts';

interface CronOptions {
  pool: pg.Pool;
  crons: readonly CronTask[];
  /** True while this process may queue crons. */
  mayRun: () => boolean;
  log: Log;
}

const everyMs = 5000;
const minuteMs = 60_000;
/** A run that was missed because no worker was up is made up for within this time. */
const missedMaxMs = 24 * 60 * minuteMs;

/** Queues a job for each cron that is due, every five seconds. Of several processes one queues it. */
export function runCrons({ pool, crons, mayRun, log }: CronOptions): Pick<Repeater, 'stop'> {
  const repeater = createRepeater({
    everyMs,
    async run() {
      if (mayRun()) await queueDueCrons(pool, crons);
    },
    onFailure: (error) => log.error({ err: error }, 'Due crons could not be queued and are tried again'),
  });
  if (crons.length > 0) repeater.start();
  return repeater;
}

/** Queues a job for each cron that is due. One whose runs were missed gets one job for all of them. */
async function queueDueCrons(pool: pg.Pool, crons: readonly CronTask[]): Promise<void> {
  const names = crons.map(({ name }) => name);
  const query = queryOn(pool);
  for (const { name, ran_at: ranAt, now } of await query(knowCrons, [names])) {
    const dueAt = lastDue(crons.find((cron) => cron.name === name)!.pattern, ranAt, now);
    if (dueAt) await query(queueCron, [name, dueAt, ranAt, [agreedClockFlag]]);
  }
}

/** The last minute after `ranAt`, up to now, that a pattern names. A `ranAt` in the future comes from a clock that was ahead. */
export function lastDue(pattern: string, ranAt: Date, now: Date): Date | undefined {
  const { match } = parseCronItem({ task: 'cron', match: pattern });
  const ranMs = ranAt.getTime() > now.getTime() + minuteMs ? 0 : ranAt.getTime();
  const firstMs = Math.max(ranMs + 1, now.getTime() - missedMaxMs);
  for (let ms = Math.floor(now.getTime() / minuteMs) * minuteMs; ms >= firstMs; ms -= minuteMs) {
    const minute = new Date(ms);
    const isDue = match({
      min: minute.getUTCMinutes(),
      hour: minute.getUTCHours(),
      date: minute.getUTCDate(),
      month: minute.getUTCMonth() + 1,
      dow: minute.getUTCDay(),
    });
    if (isDue) return minute;
  }
  return undefined;
}

export const createCronTable = `
  create schema if not exists jobs;
  create table if not exists jobs.cron_run (
    name text not null,
    ran_at timestamptz(3) not null,
    constraint cron_run_pkey primary key (name)
  )`;

/** $1 names. A new name counts as run just now. `ran_at` is the minute of the last run, or when the cron became known. */
const knowCrons = statement({
  name: 'jobs.know_crons',
  text: `
    with made as (
      insert into jobs.cron_run (name, ran_at) select name, clock_timestamp() from unnest($1::text[]) name
      on conflict (name) do nothing returning name, ran_at
    )
    select name, ran_at, clock_timestamp() as now from jobs.cron_run where name = any($1::text[])`,
  row: { name: column.text, ran_at: column.time, now: column.time },
});

/** $1 name, $2 the minute it is due, $3 its last run, $4 flags. A second process finds another $3 and queues no job. */
const queueCron = statement({
  name: 'jobs.queue_cron',
  text: `
    with taken as (
      update jobs.cron_run set ran_at = $2 where name = $1 and ran_at = $3 returning name
    )
    select graphile_worker.add_job(
      identifier => name, payload => '{}', max_attempts => 5, job_key => name, job_key_mode => 'replace', flags => $4)
    from taken`,
});
