// Drills that stop, crash and fill PostgreSQL under a healthy load.
import { setTimeout as delay } from 'node:timers/promises';
import { check, type Check } from './drill.ts';
import { awaitRecovery, healthyDrill } from './healthy-drill.ts';
import { countStatuses, seconds, type Interruption } from './judge.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import type { Answer, Traffic } from './traffic.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { ChaosWorld } from './world.ts';

const settleMs = 5000;
const restarts = 3;

export const restartPostgres = healthyDrill({
  name: 'restart-postgres',
  summary:
    'PostgreSQL is restarted (fast: all sessions are cut) three times under load. No other process needs a restart, ' +
    'and nothing is lost.',
  seconds: 20,
  eventsPerSecond: 300,
  settleMs,
  async makeTrouble({ world: { postgres }, seconds, say }) {
    const interruptions: Interruption[] = [];
    while (interruptions.length < restarts) {
      await delay((seconds * 1000) / (restarts + 1));
      const from = Date.now();
      await postgres.stop();
      await postgres.start();
      interruptions.push({ from, to: Date.now() });
      say(`${interruptions.length} restarts`);
    }
    return { interruptions, figures: { restarts } };
  },
});

const answerMaxMs = 15_000;

export const stopPostgres = healthyDrill({
  name: 'stop-postgres',
  summary:
    'PostgreSQL is stopped under load and started again later. Meanwhile the API answers 5xx and says that it is not ' +
    'ready; afterwards everything goes on by itself, and nothing is lost.',
  seconds: 30,
  eventsPerSecond: 300,
  settleMs,
  async makeTrouble({ world: { postgres }, api, workers, traffic, ...run }) {
    await delay(settleMs);
    const from = Date.now();
    await postgres.stop();
    run.say('without a database');
    await delay((run.seconds * 1000) / 2);
    const ready = await checkReadiness([api, ...workers]);
    await delay((run.seconds * 1000) / 2);
    const startingAt = Date.now();
    await postgres.start();
    run.say('with a database again');
    return {
      interruptions: [{ from, to: Date.now() }],
      checks: () => [ready, ...checkRefusals(answersBetween(traffic, from, startingAt))],
    };
  },
});

const answersBetween = (traffic: readonly Traffic[], from: number, to: number): Answer[] =>
  traffic.flatMap(({ answers }) => answers).filter(({ at }) => at > from && at < to);

async function checkReadiness(processes: readonly ServiceProcess[]): Promise<Check> {
  const ask = (path: string): Promise<number[]> =>
    Promise.all(processes.map(async ({ origin }) => (await fetch(`${origin}${path}`)).status));
  const [ready, healthy] = [await ask('/readyz'), await ask('/healthz')];
  return check(
    'without a database all processes live (200) and none is ready (503)',
    ready.every((status) => status === 503) && healthy.every((status) => status === 200),
    `/healthz ${healthy.join(', ')}, /readyz ${ready.join(', ')}`,
  );
}

/** Of requests that were sent while there was no database. */
function checkRefusals(answers: readonly Answer[]): Check[] {
  const slowest = answers.reduce((slowest, { durationMs }) => Math.max(slowest, durationMs), 0);
  return [
    check(
      'without a database the API answers 5xx',
      answers.length > 0 && answers.every(({ status = 0 }) => status >= 500),
      countStatuses(answers),
    ),
    check(
      `and does so within ${seconds(answerMaxMs)}`,
      slowest <= answerMaxMs,
      `slowest ${seconds(slowest)}`,
    ),
  ];
}

const recoverMaxMs = 20_000;

export const crashPostgres = healthyDrill({
  name: 'crash-postgres',
  summary:
    'One server process of PostgreSQL is killed (-9), so that it cuts all sessions and recovers by itself; later its main ' +
    'process is killed (-9) and it is started again. Nothing that was acknowledged is lost.',
  seconds: 12,
  eventsPerSecond: 300,
  settleMs,
  async makeTrouble({ world, traffic, seconds, say }) {
    await delay((seconds * 1000) / 2);
    say('one server process killed');
    const first = await crashBackend(world);
    await awaitRecovery(world, traffic, first.to);
    await delay((seconds * 1000) / 2);
    say('main process killed');
    const from = Date.now();
    await world.postgres.kill();
    await world.postgres.start();
    const tookMs = first.to - first.from;
    return {
      interruptions: [first, { from, to: Date.now() }],
      checks: () => [
        check(
          'after the death of one process the server recovers by itself',
          tookMs < recoverMaxMs,
          `${tookMs} ms`,
        ),
      ],
    };
  },
});

/** Resolves when the server answers again. */
async function crashBackend(world: ChaosWorld): Promise<Interruption> {
  const [backend] = await world.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'api' and datname = current_database() limit 1`,
  );
  const from = Date.now();
  process.kill(backend!.pid, 'SIGKILL');
  const endAt = from + recoverMaxMs;
  // The first answers may still come from before the server has seen the death of its child.
  await delay(200);
  for (;;) {
    try {
      await world.query('select 1');
      return { from, to: Date.now() };
    } catch {
      if (Date.now() > endAt) return { from, to: Date.now() };
      await delay(50);
    }
  }
}

const fullMaxMs = 20_000;
const notReadyMaxMs = 45_000;

export const diskFull = healthyDrill({
  name: 'disk-full',
  summary:
    'The disk with the tables is filled under load and freed later. Meanwhile writes are refused with 503, the API ' +
    'answers reads, and the workers say that they are not ready; afterwards everything goes on by itself.',
  seconds: 8,
  smallDisk: true,
  eventsPerSecond: 100,
  settleMs: 3000,
  async makeTrouble({ world, workers, traffic, seconds, say }) {
    await delay(3000);
    const from = Date.now();
    const megabytes = await world.postgres.disk!.fill();
    say('without space');
    const isRefused = (): boolean =>
      answersBetween(traffic, from, Infinity).some(({ status = 0 }) => status >= 500);
    const refused = await waitUntil(isRefused, fullMaxMs);
    const refusedAt = Date.now();
    await delay(seconds * 1000);
    const meanwhile = [await readOften(world), await checkWorkersNotReady(workers)];
    const to = Date.now();
    await world.postgres.disk!.free();
    say('with space again');
    return {
      interruptions: [{ from, to }],
      checks: () => [
        check('the disk was full', refused, `${megabytes} MB taken`),
        checkRefusedWrites(answersBetween(traffic, refusedAt, to)),
        ...meanwhile,
      ],
    };
  },
});

/** Some writes still fit into pages that have room; all others are refused as what they are. */
function checkRefusedWrites(answers: readonly Answer[]): Check {
  const refused = answers.filter(({ acknowledged }) => !acknowledged);
  return check(
    'without space, writes are refused with 503',
    refused.length > 0 && refused.every(({ status }) => status === 503),
    countStatuses(refused),
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
