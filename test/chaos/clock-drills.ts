// Drills in which a process or the database has a wrong clock.
import { setTimeout as delay } from 'node:timers/promises';
import { check, type Check, type Drill, type DrillRun } from './drill.ts';
import { firstWaits, seconds } from './judge.ts';
import type { Receipt } from '../support/receiver-process.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { reconcile } from './reconcile.ts';
import { subscribe } from './subscriptions.ts';
import { startTraffic, stopTraffic } from './traffic.ts';
import { waitUntil } from '../support/wait-until.ts';
import { retryScheduleSeconds, type ChaosWorld } from './world.ts';

interface Shift {
  name: string;
  api?: number;
  /** One for each worker. */
  workers: number[];
  /** Of the receivers, one for each webinar. */
  paths: string[];
  eventsPerSecond: number;
  atOnceMaxMs: number;
  /** Prepares the checks of the drill before the load begins. */
  begin?: (world: ChaosWorld) => Promise<() => Promise<Check[]>>;
  judge?: (receipts: readonly Receipt[], workers: readonly ServiceProcess[]) => Promise<Check[]> | Check[];
}

/** Runs the service with shifted clocks for half of the time. The name is put before each claim. */
async function runShifted({ openWorld, say, ...run }: DrillRun, { name, ...shift }: Shift) {
  const world = await openWorld({ webinars: shift.paths.length });
  const api = await world.startApi({ clockAheadMs: shift.api });
  for (const [index, path] of shift.paths.entries()) await subscribe(world, world.webinars[index]!, path);
  const workers: ServiceProcess[] = [];
  for (const clockAheadMs of shift.workers) workers.push(await world.startWorker({ clockAheadMs }));
  // Else the first deliveries wait for their start, and that is not what a clock does.
  await Promise.all(workers.map((worker) => worker.untilReady()));
  const judgeWorld = await shift.begin?.(world);
  say(name);
  const { eventsPerSecond } = shift;
  const traffic = [startTraffic(world, { webinars: world.webinars, eventsPerSecond, rows: 1 })];
  await delay((run.seconds * 1000) / 2);
  await stopTraffic(traffic);
  const { checks, figures, deliveries, receipts } = await reconcile(world, { traffic });
  const waits = firstWaits(deliveries, receipts);
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? Infinity;
  const own = [
    check(
      `deliveries go at once (p99 within ${seconds(shift.atOnceMaxMs)})`,
      p99 <= shift.atOnceMaxMs,
      seconds(p99),
    ),
    ...((await judgeWorld?.()) ?? []),
    ...((await shift.judge?.(receipts, workers)) ?? []),
  ];
  await Promise.all([api, ...workers].map((process) => process.kill()));
  return { checks: [...checks, ...own].map((one) => ({ ...one, claim: `${name}: ${one.claim}` })), figures };
}

const skewMs = 5 * 60_000;
const timestampOffMaxMs = 5000;
/** A retry may come this much later than its jitter allows: the queue is looked at by the clock. */
const retryLateMaxMs = 2000;
const jitter = 0.2;

export const skewedClock: Drill = {
  name: 'skewed-clock',
  summary:
    'One of two workers has a clock that is 5 minutes ahead, then one that is 5 minutes behind, each for half of the ' +
    'time. Deliveries go at once, retries when they are due, webhook-timestamp is true to 5 s, nothing is sent twice.',
  seconds: 16,
  async run(run) {
    const skew = (name: string, aheadMs: number) =>
      runShifted(run, {
        name,
        workers: [0, aheadMs],
        paths: ['/ok/healthy', '/fail-some/4/first'],
        eventsPerSecond: 100,
        atOnceMaxMs: 1000,
        async judge(receipts, workers) {
          const sent = await Promise.all(workers.map(countSent));
          const isShared = sent.every((count) => count > 0);
          return [
            check('both workers send', isShared, sent.join(' and ')),
            checkRetries(receipts),
            checkTimestamps(receipts),
          ];
        },
      });
    const [ahead, behind] = [await skew('ahead', skewMs), await skew('behind', -skewMs)];
    const sumOf = (name: string) => Number(ahead.figures[name]) + Number(behind.figures[name]);
    const sums = ['events', 'deliveries', 'duplicates'].map((name) => [name, sumOf(name)]);
    return {
      checks: [...ahead.checks, ...behind.checks],
      figures: { ...behind.figures, ...Object.fromEntries(sums) },
    };
  },
};

/** Attempts a worker made, as its metrics say. */
async function countSent({ origin }: ServiceProcess): Promise<number> {
  const metrics = await (await fetch(`${origin}/metrics`)).text();
  const counts = metrics.matchAll(/^delivery_attempts_total\{.*\} (\d+)/gm);
  return [...counts].reduce((sum, [, count]) => sum + Number(count), 0);
}

function checkRetries(receipts: readonly Receipt[]): Check {
  const firstById = new Map<string, Receipt>();
  const gaps: number[] = [];
  for (const receipt of receipts) {
    const first = firstById.get(receipt.id);
    if (first) gaps.push(receipt.at - first.at);
    else firstById.set(receipt.id, receipt);
  }
  const waitMs = retryScheduleSeconds[1]! * 1000;
  const [least, most] = [waitMs * (1 - jitter), waitMs * (1 + jitter) + retryLateMaxMs];
  const [shortest, longest] = [Math.min(...gaps), Math.max(...gaps)];
  return check(
    `retries come ${seconds(least)} to ${seconds(most)} after the first try`,
    gaps.length > 0 && shortest >= least && longest <= most,
    `${gaps.length} came after ${seconds(shortest)} to ${seconds(longest)}`,
  );
}

function checkTimestamps(receipts: readonly Receipt[]): Check {
  const off = receipts.map(({ at, timestampSeconds }) => Math.abs(at - timestampSeconds * 1000));
  const wrong = off.filter((ms) => ms > timestampOffMaxMs).length;
  const worst = off.reduce((worst, ms) => Math.max(worst, ms), 0);
  return check(
    `webhook-timestamp is true to ${seconds(timestampOffMaxMs)}`,
    wrong === 0,
    `${wrong} of ${receipts.length} are not, the worst is ${seconds(worst)} off`,
  );
}

const dayMs = 86_400_000;
const upkeepMaxMs = 20_000;

export const wrongClock: Drill = {
  name: 'wrong-clock',
  summary:
    'First the clock of the only worker is 200 days ahead; then the database is two days ahead of all processes. Deliveries ' +
    'go out at once; no history is dropped, no session starts or ends, and no row of today goes into the partition of another day.',
  seconds: 16,
  async run(run) {
    const shared = { paths: ['/ok/healthy'], eventsPerSecond: 50, atOnceMaxMs: 2000, begin: judgeFacts };
    const worker = await runShifted(run, {
      name: 'worker 200 days ahead',
      workers: [200 * dayMs],
      ...shared,
    });
    const database = await runShifted(run, {
      name: 'database two days ahead',
      api: -2 * dayMs,
      workers: [-2 * dayMs],
      ...shared,
    });
    return { checks: [...worker.checks, ...database.checks], figures: database.figures };
  },
};

async function judgeFacts(world: ChaosWorld): Promise<() => Promise<Check[]>> {
  const before = await readFacts(world);
  const upkeep = runUpkeep(world);
  return async () => {
    const isDone = await upkeep;
    const after = await readFacts(world);
    return [
      check('the upkeep was asked for and came to its end', isDone, String(isDone)),
      check(
        'no history was dropped',
        before.partitions.every((partition) => after.partitions.includes(partition)),
        `${before.partitions.length} partitions before, ${after.partitions.length} after`,
      ),
      check('no session has started or ended', after.moved === 0, after.moved),
      check('no attendee is a no-show', after.noShows === 0, after.noShows),
      check('all rows are filed under today', after.misfiled === 0, `${after.misfiled} are not`),
    ];
  };
}

/** The hourly task, now. True when the job is gone, done or refused. */
async function runUpkeep(world: ChaosWorld): Promise<boolean> {
  await world.query(`select graphile_worker.add_job('database.maintain_partitions')`);
  return waitUntil(async () => {
    const jobs = await world.query(
      `select 1 from graphile_worker.jobs where task_identifier = 'database.maintain_partitions'`,
    );
    return jobs.length === 0;
  }, upkeepMaxMs);
}

interface Facts {
  partitions: string[];
  /** Sessions that are not as they were made. */
  moved: number;
  noShows: number;
  /** Rows whose id is of another day than today, by the database. */
  misfiled: number;
}

// The first 48 bits of an id are its time in milliseconds (UUIDv7).
const isOfToday = (id: string): string =>
  `abs(extract(epoch from now()) - ('x0000' || substr(replace(${id}::text, '-', ''), 1, 12))::bit(64)::bigint / 1000.0) < 3600`;

async function readFacts(world: ChaosWorld): Promise<Facts> {
  const partitions = await world.query<{ name: string }>(
    'select inhrelid::regclass::text as name from pg_inherits order by 1',
  );
  const [row] = await world.query<Omit<Facts, 'partitions'>>(`
    select
      (select count(*)::int from webinars.session where status <> 'scheduled') as moved,
      (select count(*)::int from attendees.attendee_event where type = 'no_show') as "noShows",
      (select count(*)::int from attendees.attendee_event where not ${isOfToday('id')})
        + (select count(*)::int from deliveries.delivery where not ${isOfToday('id')})
        + (select count(*)::int from automations.execution where not ${isOfToday('id')})
        + (select count(*)::int from activity.api_call where not ${isOfToday('id')}) as misfiled`);
  return { ...row!, partitions: partitions.map(({ name }) => name) };
}
