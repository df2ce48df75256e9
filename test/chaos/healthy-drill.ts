// The drills that break something under a load for receivers that answer at once, and expect that all goes on by itself.
import { setTimeout as delay } from 'node:timers/promises';
import { check, type Check, type Drill, type DrillRun } from './drill.ts';
import { seconds, type Interruption } from './judge.ts';
import { reconcile } from './reconcile.ts';
import type { Receipt } from '../support/receiver-process.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { subscribeHealthy } from './subscriptions.ts';
import { startMixedTraffic, stopTraffic, type Answer, type Traffic } from './traffic.ts';
import { waitUntil } from '../support/wait-until.ts';
import type { ChaosWorld } from './world.ts';

export interface HealthyLoad extends DrillRun {
  world: ChaosWorld;
  api: ServiceProcess;
  workers: ServiceProcess[];
  traffic: Traffic[];
}

interface Trouble {
  /** Times in which results could not be recorded. */
  interruptions?: Interruption[];
  /** Everything must work again soon after this moment; the end of the last interruption by default. */
  endedAt?: number;
  /** Its own checks, after everything was judged. */
  checks?: () => Check[];
  figures?: Record<string, number>;
  /** The processes that were killed on purpose are not expected to be alive. */
  mayEnd?: boolean;
}

interface HealthyDrill extends Omit<Drill, 'run'> {
  eventsPerSecond: number;
  /** The time of good load before the end. */
  settleMs: number;
  makeTrouble(load: HealthyLoad): Promise<Trouble>;
}

const webinars = 10;

export const healthyDrill = ({ eventsPerSecond, settleMs, makeTrouble, ...drill }: HealthyDrill): Drill => ({
  ...drill,
  async run(run) {
    const world = await run.openWorld({ webinars });
    const api = await world.startApi();
    await subscribeHealthy(world, world.webinars);
    const workers = [await world.startWorker(), await world.startWorker()];
    await Promise.all(workers.map((worker) => worker.untilReady()));
    run.say('under load');
    const traffic = startMixedTraffic(world, world.webinars, eventsPerSecond);
    const trouble = await makeTrouble({ ...run, world, api, workers, traffic });
    const { interruptions = [], endedAt = interruptions.at(-1)!.to } = trouble;
    await awaitRecovery(world, traffic, endedAt);
    await delay(settleMs);
    await stopTraffic(traffic);
    run.say('draining');
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions });
    return {
      checks: [
        ...checks,
        ...(trouble.checks?.() ?? []),
        checkRecovery(endedAt, traffic, receipts),
        ...(trouble.mayEnd ? [] : [checkAlive([api, ...workers])]),
      ],
      figures: { ...figures, ...trouble.figures },
    };
  },
});

const answeredMaxMs = 10_000;
const sentMaxMs = 15_000;

/** Resolves when events are acknowledged and sent again after a moment, or when the time for that is over. */
export async function awaitRecovery(
  { receiver }: ChaosWorld,
  traffic: readonly Traffic[],
  since: number,
): Promise<void> {
  const isAnswered = (): boolean =>
    traffic.some(({ answers }) => firstAcknowledged(answers, since) < Infinity);
  await waitUntil(isAnswered, sentMaxMs);
  await waitUntil(async () => firstSent(await receiver.receipts(), since) < Infinity, sentMaxMs);
}

/** Checks that both work again: the API acknowledges, a worker sends. */
function checkRecovery(since: number, traffic: readonly Traffic[], receipts: readonly Receipt[]): Check {
  const answers = traffic.flatMap((one) => one.answers);
  const answeredMs = firstAcknowledged(answers, since) - since;
  const sentMs = firstSent(receipts, since) - since;
  return check(
    `events are acknowledged again within ${seconds(answeredMaxMs)} and sent within ${seconds(sentMaxMs)}`,
    answeredMs <= answeredMaxMs && sentMs <= sentMaxMs,
    `after ${seconds(answeredMs)} and ${seconds(sentMs)}`,
  );
}

const firstAcknowledged = (answers: readonly Answer[], since: number): number =>
  answers
    .filter(({ at, acknowledged }) => acknowledged && at > since)
    .reduce((first, { at, durationMs }) => Math.min(first, at + durationMs), Infinity);

const firstSent = (receipts: readonly Receipt[], since: number): number =>
  receipts.find(({ at }) => at > since)?.at ?? Infinity;

/** No process has ended. */
export function checkAlive(processes: readonly ServiceProcess[]): Check {
  const gone = processes.filter((process) => process.ended() !== undefined);
  const describe = ({ name, ended, lastLines }: ServiceProcess): string =>
    [`${name} ended with ${ended()}`, ...lastLines()].join('\n      ');
  return check(
    'API and workers came through it by themselves',
    gone.length === 0,
    gone.length === 0 ? `${processes.length} run` : gone.map(describe).join('\n    '),
  );
}
