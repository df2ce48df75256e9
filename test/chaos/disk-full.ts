import { setTimeout as delay } from 'node:timers/promises';
import { check, type Check, type Drill } from './drill.ts';
import { startHealthyLoad } from './healthy-load.ts';
import { checkAlive } from './processes-alive.ts';
import { reconcile } from './reconcile.ts';
import { awaitRecovery, checkRecovery } from './recovery.ts';
import type { ServiceProcess } from './service-process.ts';
import { stopTraffic, type Answer } from './traffic.ts';
import { waitUntil } from './wait-until.ts';
import type { ChaosWorld } from './world.ts';

const eventsPerSecond = 100;
const settleMs = 3000;
const fullMaxMs = 20_000;
const notReadyMaxMs = 45_000;

export const diskFull: Drill = {
  name: 'disk-full',
  summary:
    'The disk with the tables is filled under load and freed later. Meanwhile writes are refused with 503, the API ' +
    'answers reads, and the workers say that they are not ready; afterwards everything goes on by itself.',
  seconds: 8,
  smallDisk: true,
  async run(run) {
    const { world, api, workers, traffic } = await startHealthyLoad(run, eventsPerSecond);
    await delay(settleMs);
    const from = Date.now();
    const megabytes = await world.postgres.disk!.fill();
    run.say('without space');
    const isRefused = (): boolean =>
      traffic.some(({ answers }) => answers.some(({ at, status = 0 }) => at > from && status >= 500));
    const refused = await waitUntil(isRefused, fullMaxMs);
    const refusedAt = Date.now();
    await delay(run.seconds * 1000);
    const reads = await readOften(world);
    const ready = await checkWorkersNotReady(workers);
    const freedAt = Date.now();
    await world.postgres.disk!.free();
    run.say('with space again');
    await awaitRecovery(world, traffic, freedAt);
    await delay(settleMs);
    await stopTraffic(traffic);
    run.say('draining');
    const interruptions = [{ from, to: freedAt }];
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions });
    const meanwhile = traffic
      .flatMap(({ answers }) => answers)
      .filter(({ at }) => at > refusedAt && at < freedAt);
    return {
      checks: [
        ...checks,
        check('the disk was full', refused, `${megabytes} MB taken`),
        checkRefusals(meanwhile),
        reads,
        ready,
        checkRecovery(freedAt, traffic, receipts),
        checkAlive([api, ...workers]),
      ],
      figures,
    };
  },
};

/** Some writes still fit into pages that have room; all others are refused as what they are. */
function checkRefusals(answers: readonly Answer[]): Check {
  const refused = answers.filter(({ acknowledged }) => !acknowledged);
  const counts = new Map<string, number>();
  for (const { status = 'none' } of refused)
    counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
  return check(
    'without space, writes are refused with 503',
    refused.length > 0 && refused.every(({ status }) => status === 503),
    [...counts].map(([status, count]) => `${count} times ${status}`).join(', '),
  );
}

const reads = 50;

async function readOften({ apiOrigin, key }: ChaosWorld): Promise<Check> {
  const statuses: number[] = [];
  for (let read = 0; read < reads; read += 1) {
    const headers = { Authorization: `Bearer ${key}` };
    const response = await fetch(`${apiOrigin}/api/v1/webinars?limit=5`, { headers });
    await response.arrayBuffer();
    statuses.push(response.status);
  }
  const answered = statuses.filter((status) => status === 200).length;
  return check('without space, reads are answered', answered === reads, `${answered} of ${reads}`);
}

async function checkWorkersNotReady(workers: readonly ServiceProcess[]): Promise<Check> {
  const statusesOf = (): Promise<number[]> =>
    Promise.all(workers.map(async ({ origin }) => (await fetch(`${origin}/readyz`)).status));
  const passed = await waitUntil(
    async () => (await statusesOf()).every((status) => status === 503),
    notReadyMaxMs,
  );
  return check('without space, no worker is ready', passed, (await statusesOf()).join(', '));
}
