import { setTimeout as delay } from 'node:timers/promises';
import { median } from '../bench/median.ts';
import { check, type Check, type Drill } from './drill.ts';
import { killAt, seconds } from './judge.ts';
import { checkAlive } from './healthy-drill.ts';
import type { Receipt } from '../support/receiver-process.ts';
import { reconcile } from './reconcile.ts';
import { subscribe, subscribeHealthy } from './subscriptions.ts';
import { startMixedTraffic, startTraffic, stopTraffic } from './traffic.ts';

const eventsPerSecond = 500;
const killEveryMs = 5000;
const takenUpMaxMs = 3000;

export const killWorker: Drill = {
  name: 'kill-worker',
  summary:
    'Two workers under 500 events/s; every 5 s one is killed (-9) and started again. Its claimed deliveries are tried again ' +
    'within 3 s, nothing is lost, and no more is sent twice than was in flight.',
  seconds: 60,
  async run({ openWorld, seconds: forSeconds, say }) {
    const world = await openWorld({ webinars: 11 });
    await world.startApi();
    const [slow, ...webinars] = world.webinars;
    await subscribeHealthy(world, webinars);
    // So that something is surely in flight at each kill.
    await subscribe(world, slow!, '/first/700/200');
    const start = () => world.startWorker();
    const workers = [await start(), await start()];
    await Promise.all(workers.map((worker) => worker.untilReady()));

    const traffic = [
      ...startMixedTraffic(world, webinars, eventsPerSecond),
      startTraffic(world, { webinars: [slow!], eventsPerSecond: 12, rows: 1 }),
    ];
    const killedAt: number[] = [];
    const endAt = performance.now() + forSeconds * 1000;
    for (let next = performance.now() + killEveryMs; next <= endAt; next += killEveryMs) {
      await delay(next - performance.now());
      const turn = killedAt.length % 2;
      await workers[turn]!.kill();
      killedAt.push(Date.now());
      say(`${killedAt.length} kills`);
      workers[turn] = await start();
      // On a slow machine the next kill comes later: with both dead this would measure how long a start takes.
      await workers[turn].untilReady();
    }
    await stopTraffic(traffic);
    say('draining');
    const interruptions = killedAt.map(killAt);
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions });
    return {
      checks: [...checks, checkTakenUp(receipts, killedAt), checkAlive(workers)],
      figures: {
        ...figures,
        kills: killedAt.length,
        'in flight at the kills': cutAt(receipts, killedAt).length,
      },
    };
  },
};

interface CutRequest {
  receipt: Receipt;
  killedAt: number;
}

/** Requests whose connection broke when a worker died: at the kill, since the system closes what a process leaves. */
function cutAt(receipts: readonly Receipt[], kills: readonly number[]): CutRequest[] {
  return receipts
    .filter(({ end }) => end === 'cut')
    .flatMap((receipt) => {
      const killedAt = kills.find((at) => Math.abs(at - receipt.endedAt!) < 1000);
      return killedAt === undefined ? [] : [{ receipt, killedAt }];
    });
}

function checkTakenUp(receipts: readonly Receipt[], kills: readonly number[]): Check {
  const cut = cutAt(receipts, kills);
  const waits = cut.map(({ receipt, killedAt }) => {
    const next = receipts.find(({ id, at }) => id === receipt.id && at > receipt.at);
    return next ? next.at - killedAt : Infinity;
  });
  const slowest = Math.max(0, ...waits);
  const p50 = waits.length === 0 ? 0 : median(waits);
  return check(
    `deliveries of a dead worker are tried again within ${seconds(takenUpMaxMs)}`,
    cut.length > 0 && slowest <= takenUpMaxMs,
    `${cut.length} in flight, p50 ${seconds(p50)}, slowest ${seconds(slowest)}`,
  );
}
