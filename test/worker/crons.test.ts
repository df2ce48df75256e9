import { startJobRunner, type CronTask } from '@service/jobs';
import { createLog } from '@service/log';
import { expect, test } from 'vitest';
import { testDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';

const log = createLog('test', { level: 'silent' });

test('one of two workers runs a due cron, and a worker with a wrong clock neither queues nor runs it', async () => {
  await using db = await testDatabase();
  const { pool } = db.database;
  const ran: string[] = [];
  const cron = (worker: string): CronTask => ({
    name: 'test.hourly',
    pattern: '17 * * * *',
    run: async () => void ran.push(worker),
  });
  const start = (worker: string, isAgreed: boolean) =>
    startJobRunner({ pool, tasks: [], crons: [cron(worker)], isClockAgreed: () => isAgreed, log });
  const missed = (interval: string) =>
    pool.query(
      `insert into jobs.cron_run (name, ran_at) values ('test.hourly', now() + $1::interval)
       on conflict (name) do update set ran_at = excluded.ran_at`,
      [interval],
    );
  await missed('-2 hours');
  const wrong = await start('wrong', false);
  const right = [await start('first', true), await start('second', true)];
  await eventually('the cron to have run', () => ran.length === 1);
  await Promise.all(right.map((runner) => runner.stop()));

  // The database's clock was months ahead during the run.
  await missed('200 days');
  const later = await start('later', true);
  await eventually('the cron to run again', () => ran.length === 2);
  await Promise.all([later.stop(), wrong.stop()]);
  expect(ran).not.toContain('wrong');
  const { rows } = await pool.query(
    `select ran_at <= now() and ran_at > now() - interval '1 hour' as recent from jobs.cron_run`,
  );
  expect(rows).toEqual([{ recent: true }]);
});
