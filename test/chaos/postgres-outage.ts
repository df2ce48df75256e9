import { setTimeout as delay } from 'node:timers/promises';
import { check, type Check, type Drill } from './drill.ts';
import { startHealthyLoad } from './healthy-load.ts';
import { seconds, type Interruption } from './judge.ts';
import { checkAlive } from './processes-alive.ts';
import { reconcile } from './reconcile.ts';
import { awaitRecovery, checkRecovery } from './recovery.ts';
import type { ServiceProcess } from './service-process.ts';
import { stopTraffic, type Answer } from './traffic.ts';

const eventsPerSecond = 300;
const restarts = 3;
const settleMs = 5000;
const answerMaxMs = 15_000;

export const restartPostgres: Drill = {
  name: 'restart-postgres',
  summary:
    'PostgreSQL is restarted (fast: all sessions are cut) three times under load. No other process needs a restart, ' +
    'and nothing is lost.',
  seconds: 20,
  async run(run) {
    const { world, api, workers, traffic } = await startHealthyLoad(run, eventsPerSecond);
    const interruptions: Interruption[] = [];
    let startedAt = 0;
    for (let done = 0; done < restarts; done += 1) {
      await delay((run.seconds * 1000) / (restarts + 1));
      const from = Date.now();
      await world.postgres.stop();
      await world.postgres.start();
      startedAt = Date.now();
      interruptions.push({ from, to: startedAt });
      run.say(`${done + 1} restarts`);
    }
    await delay((run.seconds * 1000) / (restarts + 1));
    await stopTraffic(traffic);
    run.say('draining');
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions });
    return {
      checks: [...checks, checkRecovery(startedAt, traffic, receipts), checkAlive([api, ...workers])],
      figures: { ...figures, restarts },
    };
  },
};

export const stopPostgres: Drill = {
  name: 'stop-postgres',
  summary:
    'PostgreSQL is stopped under load and started again later. Meanwhile the API answers 5xx and says that it is not ' +
    'ready; afterwards everything goes on by itself, and nothing is lost.',
  seconds: 30,
  async run(run) {
    const { world, api, workers, traffic } = await startHealthyLoad(run, eventsPerSecond);
    await delay(settleMs);
    const stoppedAt = Date.now();
    await world.postgres.stop();
    run.say('without a database');
    await delay((run.seconds * 1000) / 2);
    const ready = await checkReadiness(api, workers);
    await delay((run.seconds * 1000) / 2);
    const startingAt = Date.now();
    await world.postgres.start();
    const startedAt = Date.now();
    run.say('with a database again');
    await awaitRecovery(world, traffic, startedAt);
    await delay(settleMs);
    await stopTraffic(traffic);
    run.say('draining');
    const interruptions = [{ from: stoppedAt, to: startedAt }];
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions });
    const answers = traffic.flatMap((one) => one.answers);
    return {
      checks: [
        ...checks,
        ready,
        ...checkRefusals(answers.filter(({ at }) => at > stoppedAt && at < startingAt)),
        checkRecovery(startedAt, traffic, receipts),
        checkAlive([api, ...workers]),
      ],
      figures,
    };
  },
};

async function checkReadiness(api: ServiceProcess, workers: readonly ServiceProcess[]): Promise<Check> {
  const ask = async (origin: string, path: string): Promise<number> =>
    (await fetch(`${origin}${path}`)).status;
  const origins = [api, ...workers].map(({ origin }) => origin);
  const ready = await Promise.all(origins.map((origin) => ask(origin, '/readyz')));
  const healthy = await Promise.all(origins.map((origin) => ask(origin, '/healthz')));
  return check(
    'without a database all processes live (200) and none is ready (503)',
    ready.every((status) => status === 503) && healthy.every((status) => status === 200),
    `/healthz ${healthy.join(', ')}, /readyz ${ready.join(', ')}`,
  );
}

/** Of requests that were sent while there was no database. */
function checkRefusals(answers: readonly Answer[]): Check[] {
  const counts = new Map<string, number>();
  for (const { status = 'none' } of answers)
    counts.set(String(status), (counts.get(String(status)) ?? 0) + 1);
  const slowest = answers.reduce((slowest, { durationMs }) => Math.max(slowest, durationMs), 0);
  return [
    check(
      'without a database the API answers 5xx',
      answers.length > 0 && answers.every(({ status = 0 }) => status >= 500),
      [...counts].map(([status, count]) => `${count} times ${status}`).join(', '),
    ),
    check(
      `and does so within ${seconds(answerMaxMs)}`,
      slowest <= answerMaxMs,
      `slowest ${seconds(slowest)}`,
    ),
  ];
}
