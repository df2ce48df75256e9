import { setTimeout as delay } from 'node:timers/promises';
import { check, type Check, type Drill, type DrillRun } from './drill.ts';
import { firstWaits, seconds } from './judge.ts';
import { reconcile } from './reconcile.ts';
import { subscribe } from './subscriptions.ts';
import { startTraffic, stopTraffic } from './traffic.ts';
import { waitUntil } from './wait-until.ts';
import type { ChaosWorld } from './world.ts';

const dayMs = 86_400_000;
const eventsPerSecond = 50;
const atOnceMaxMs = 2000;
const upkeepMaxMs = 20_000;

export const wrongClock: Drill = {
  name: 'wrong-clock',
  summary:
    'First the clock of the only worker is 200 days ahead; then the database is two days ahead of all processes. Deliveries ' +
    'go out at once; no history is dropped, no session starts or ends, and nothing of today is filed under another day.',
  seconds: 16,
  async run(run) {
    const worker = await runShifted(run, 'worker 200 days ahead', { worker: 200 * dayMs });
    const database = await runShifted(run, 'database two days ahead', {
      api: -2 * dayMs,
      worker: -2 * dayMs,
    });
    return { checks: [...worker.checks, ...database.checks], figures: database.figures };
  },
};

interface Shift {
  api?: number;
  worker: number;
}

async function runShifted({ openWorld, say, ...run }: DrillRun, name: string, shift: Shift) {
  const world = await openWorld({ webinars: 1 });
  const api = await world.startApi({ clockAheadMs: shift.api });
  await subscribe(world, world.webinars[0]!, '/ok/healthy');
  const worker = await world.startWorker({ clockAheadMs: shift.worker });
  // Else the first deliveries wait for its start, and that is not what its clock does.
  await worker.untilReady();
  const before = await readFacts(world);
  say(name);
  const traffic = [startTraffic(world, { webinars: world.webinars, eventsPerSecond, rows: 1 })];
  const upkeep = await runUpkeep(world);
  await delay((run.seconds * 1000) / 2);
  await stopTraffic(traffic);
  const { checks, figures, deliveries, receipts } = await reconcile(world, { traffic });
  const after = await readFacts(world);
  const waits = firstWaits(deliveries, receipts);
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? Infinity;
  const own: Check[] = [
    check(`deliveries go at once (p99 within ${seconds(atOnceMaxMs)})`, p99 <= atOnceMaxMs, seconds(p99)),
    check('the upkeep was asked for and came to its end', upkeep, String(upkeep)),
    check(
      'no history was dropped',
      before.partitions.every((partition) => after.partitions.includes(partition)),
      `${before.partitions.length} partitions before, ${after.partitions.length} after`,
    ),
    check('no session has started or ended', after.moved === 0, after.moved),
    check('no attendee is a no-show', after.noShows === 0, after.noShows),
    check('all rows are filed under today', after.misfiled === 0, `${after.misfiled} are not`),
  ];
  await Promise.all([api, worker].map((process) => process.kill()));
  return { checks: [...checks, ...own].map((one) => ({ ...one, claim: `${name}: ${one.claim}` })), figures };
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
