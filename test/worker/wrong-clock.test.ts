// Worker processes with a wrong clock, and a database with a correct clock.
import { createJobs, defineJob } from '@service/jobs';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { startServiceProcess } from '../support/service-process.ts';
import { testEncryptionKey } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { createClockWorld, once, type ClockWorld } from '../attendees/clock-world.ts';

const dayMs = 86_400_000;
const minuteMs = 60_000;

const minutesFromNow = (minutes: number): string =>
  new Date(Math.floor(Date.now() / minuteMs + minutes) * minuteMs).toISOString();

async function startWorkerAt({ url }: ClockWorld, clockAheadMs: number) {
  const port = await freePort();
  const worker = startServiceProcess({
    kind: 'worker',
    name: 'worker',
    port,
    clockAheadMs,
    variables: { DATABASE_URL: url, ENCRYPTION_KEY: testEncryptionKey, WORKER_PORT: String(port) },
  });
  await worker.untilReady();
  const get = (path: string) => fetch(`${worker.origin}${path}`);
  return {
    status: async () => (await get('/readyz')).json(),
    metrics: async () => (await get('/metrics')).text(),
    lastLines: worker.lastLines,
    [Symbol.asyncDispose]: async () => void (await worker.stop()),
  };
}

/** Two sessions with a rule: one tomorrow, and one whose no-shows are due now. */
async function createSessions(world: ClockWorld) {
  const before = minutesFromNow(-300);
  const times = { past: minutesFromNow(-240), tomorrow: minutesFromNow(60 * 20) };
  const registered: Record<string, string> = {};
  for (const [name, sessionTime] of Object.entries(times)) {
    const webinarId = await world.publish(before, { title: name, schedule: once(sessionTime) });
    await world.at(before).automations.rules.create({
      webinarId,
      name: 'Missed',
      trigger: { type: 'no_show' },
      action: { type: 'webhook', url: 'http://127.0.0.1:9/' },
    });
    registered[name] = (await world.register(before, { webinarId, sessionTime, name })).id;
  }
  return registered;
}

const partitionsOf = async (world: ClockWorld): Promise<string[]> =>
  (
    await world.query(
      `select inhrelid::regclass::text as name from pg_inherits where inhparent in
       ('deliveries.delivery'::regclass, 'activity.api_call'::regclass, 'attendees.attendee_event'::regclass) order by 1`,
    )
  ).map(({ name }) => name);

const maintain = defineJob({ name: 'database.maintain_partitions', payload: z.object({}) });

test.concurrent.each([
  ['a day behind', -dayMs],
  ['200 days ahead', 200 * dayMs],
])(
  'a worker that is %s ends no session, finds no no-show, drops nothing, and says why',
  async (_, aheadMs) => {
    await using world = await createClockWorld();
    await createSessions(world);
    const partitions = await partitionsOf(world);
    await using wrong = await startWorkerAt(world, aheadMs);
    await createJobs(world.database.pool).enqueueNow(maintain, {});
    await eventually('the reason in the answer', async () => {
      const { status, warnings } = (await wrong.status()) as { status: string; warnings?: string[] };
      return status === 'ok' && warnings?.some((warning) => warning.includes("the database's clock"));
    });
    expect(await wrong.metrics()).toMatch(
      new RegExp(`^clock_offset_seconds ${Math.sign(aheadMs) < 0 ? '-' : ''}\\d{5,}`, 'm'),
    );
    await eventually('several skipped rounds', async () => {
      const metrics = await wrong.metrics();
      const skipped = metrics.matchAll(/^clock_rounds_skipped_total\{round="([^"]+)"\} (\d+)/gm);
      const counts = new Map([...skipped].map(([, round, count]) => [round, Number(count)]));
      const isSkipped = (round: string, times: number) => (counts.get(round) ?? 0) >= times;
      return (
        isSkipped('session_clock', 3) &&
        isSkipped('automation_timers', 3) &&
        isSkipped('database.maintain_partitions', 1)
      );
    });
    expect(await world.statusesOf('webinars.session')).toEqual(['scheduled', 'scheduled']);
    expect(await world.events()).toEqual([]);
    expect(await world.query('select from deliveries.delivery')).toEqual([]);
    expect(await partitionsOf(world)).toEqual(partitions);
    expect(wrong.lastLines().filter((line) => line.includes('clock'))).toHaveLength(1);
  },
);

test.concurrent('beside a worker with a wrong clock, a worker with a correct clock does all the work', async () => {
  await using world = await createClockWorld();
  const { past } = await createSessions(world);
  await using _wrong = await startWorkerAt(world, dayMs);
  await using _right = await startWorkerAt(world, 0);
  await eventually('the no-show of the past session', async () => (await world.events()).length > 0);
  expect(await world.events()).toEqual(['past no_show']);
  expect(
    await world.query('select registration_id from attendees.attendee_event where type = $1', ['no_show']),
  ).toEqual([{ registration_id: past }]);
  await eventually(
    'the names of the crons',
    async () => (await world.query('select from jobs.cron_run')).length > 0,
  );
  // Some are due once a day.
  const dueAgain = new Date(Date.now() - dayMs);
  await world.query('update jobs.cron_run set ran_at = $1', [dueAgain]);
  await eventually('every cron to have run', async () => {
    const waiting = await world.query('select from jobs.cron_run where ran_at = $1', [dueAgain]);
    return waiting.length + (await world.query('select from graphile_worker._private_jobs')).length === 0;
  });
});
