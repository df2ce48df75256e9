import { setTimeout as delay } from 'node:timers/promises';
import { check, type Check, type Drill, type DrillRun, type Outcome } from './drill.ts';
import { firstWaits, seconds } from './judge.ts';
import type { Receipt } from '../support/receiver-process.ts';
import { reconcile } from './reconcile.ts';
import type { ServiceProcess } from './service-process.ts';
import { subscribe } from './subscriptions.ts';
import { startTraffic, stopTraffic } from './traffic.ts';
import { retryScheduleSeconds } from './world.ts';

const skewMs = 5 * 60_000;
const eventsPerSecond = 100;
const atOnceMaxMs = 1000;
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
    const ahead = await runSkewed(run, skewMs, 'ahead');
    const behind = await runSkewed(run, -skewMs, 'behind');
    return {
      checks: [...ahead.checks, ...behind.checks],
      figures: {
        ...behind.figures,
        events: Number(ahead.figures['events']) + Number(behind.figures['events']),
        deliveries: Number(ahead.figures['deliveries']) + Number(behind.figures['deliveries']),
        duplicates: Number(ahead.figures['duplicates']) + Number(behind.figures['duplicates']),
      },
    };
  },
};

async function runSkewed(
  { openWorld, say, ...run }: DrillRun,
  skew: number,
  direction: string,
): Promise<Outcome> {
  const world = await openWorld({ webinars: 2 });
  await world.startApi();
  const [healthy, failing] = world.webinars;
  await subscribe(world, healthy!, '/ok/healthy');
  await subscribe(world, failing!, '/fail-some/4/first');
  const workers = [await world.startWorker(), await world.startWorker({ clockAheadMs: skew })];
  await Promise.all(workers.map((worker) => worker.untilReady()));
  say(`one clock ${direction}`);
  const traffic = [startTraffic(world, { webinars: world.webinars, eventsPerSecond, rows: 1 })];
  await delay((run.seconds * 1000) / 2);
  await stopTraffic(traffic);
  const { checks, figures, deliveries, receipts } = await reconcile(world, { traffic });
  const waits = firstWaits(deliveries, receipts);
  const p99 = waits[Math.floor(waits.length * 0.99)] ?? Infinity;
  const sent = await Promise.all(workers.map(countSent));
  const own = [
    check(
      'both workers send',
      sent.every((count) => count > 0),
      sent.join(' and '),
    ),
    check(`deliveries go at once (p99 within ${seconds(atOnceMaxMs)})`, p99 <= atOnceMaxMs, seconds(p99)),
    checkRetries(receipts),
    checkTimestamps(receipts),
  ];
  await Promise.all(workers.map((worker) => worker.kill()));
  const named = [...checks, ...own].map((one) => ({ ...one, claim: `${direction}: ${one.claim}` }));
  return { checks: named, figures };
}

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
