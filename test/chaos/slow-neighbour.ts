import { setTimeout as delay } from 'node:timers/promises';
import { check, type Drill } from './drill.ts';
import { firstWaits, seconds } from './judge.ts';
import { reconcile } from './reconcile.ts';
import { subscribe, subscribeHealthy } from './subscriptions.ts';
import { startMixedTraffic, stopTraffic } from './traffic.ts';

const eventsPerSecond = 200;
const webinars = 20;
const hanging = 2;
const p99Max = 1000;

export const slowNeighbour: Drill = {
  name: 'slow-neighbour',
  summary:
    'Two of twenty receivers hang until the deadline of each attempt. The other eighteen get theirs, 99 % of them within ' +
    '1 s of the event.',
  seconds: 15,
  async run({ openWorld, seconds: forSeconds, say }) {
    const world = await openWorld({ webinars });
    await world.startApi();
    await subscribeHealthy(world, world.webinars.slice(hanging));
    for (const webinar of world.webinars.slice(0, hanging)) await subscribe(world, webinar, '/slow/11000');
    const workers = [await world.startWorker(), await world.startWorker()];
    await Promise.all(workers.map((worker) => worker.untilReady()));
    say('under load');
    const traffic = startMixedTraffic(world, world.webinars, eventsPerSecond);
    await delay(forSeconds * 1000);
    await stopTraffic(traffic);
    say('draining');
    const { checks, figures, deliveries, receipts } = await reconcile(world, {
      traffic,
      mayWait: '/slow/',
    });
    const healthy = deliveries.filter(({ url }) => url?.includes('/ok/'));
    const waits = firstWaits(healthy, receipts);
    const p99 = waits[Math.floor(waits.length * 0.99)] ?? Infinity;
    const missing = healthy.length - waits.length;
    return {
      checks: [
        ...checks,
        check(
          'every healthy receiver got all of its own',
          missing === 0,
          `${missing} of ${healthy.length} missing`,
        ),
        check(`their p99 is below ${seconds(p99Max)}`, p99 < p99Max, `p99 ${Math.round(p99)} ms`),
      ],
      figures: { ...figures, 'healthy p50 ms': Math.round(waits[Math.floor(waits.length / 2)] ?? 0) },
    };
  },
};
