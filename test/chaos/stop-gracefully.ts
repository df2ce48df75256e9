import { setTimeout as delay } from 'node:timers/promises';
import { check, type Drill } from './drill.ts';
import { seconds } from './judge.ts';
import { reconcile } from './reconcile.ts';
import type { ServiceProcess } from '../support/service-process.ts';
import { subscribe, subscribeHealthy } from './subscriptions.ts';
import { startMixedTraffic, startTraffic, stopTraffic } from './traffic.ts';

const eventsPerSecond = 200;
const stopEveryMs = 5000;
const stopMaxMs = 15_000;

export const stopGracefully: Drill = {
  name: 'stop-gracefully',
  summary:
    'Two workers under load, some receivers slow; every 5 s one is asked to stop (SIGTERM) and another takes its place. ' +
    'Each ends with exit code 0 within 15 s, nothing is lost, and nothing at all is sent twice.',
  seconds: 15,
  async run({ openWorld, seconds: forSeconds, say }) {
    const world = await openWorld({ webinars: 6 });
    await world.startApi();
    const [slow, ...webinars] = world.webinars;
    await subscribeHealthy(world, webinars);
    await subscribe(world, slow!, '/slow/2000');
    const workers = [await world.startWorker(), await world.startWorker()];
    await Promise.all(workers.map((worker) => worker.untilReady()));
    const traffic = [
      ...startMixedTraffic(world, webinars, eventsPerSecond),
      startTraffic(world, { webinars: [slow!], eventsPerSecond: 5, rows: 1 }),
    ];

    const stops: ReturnType<ServiceProcess['stop']>[] = [];
    const endAt = performance.now() + forSeconds * 1000;
    while (performance.now() < endAt) {
      await delay(stopEveryMs);
      const turn = stops.length % 2;
      stops.push(workers[turn]!.stop());
      say(`${stops.length} stops`);
      workers[turn] = await world.startWorker();
      await workers[turn].untilReady();
    }
    const ends = await Promise.all(stops);
    await stopTraffic(traffic);
    say('draining');
    const { checks, figures, receipts } = await reconcile(world, { traffic });
    const slowest = Math.max(...ends.map(({ tookMs }) => tookMs));
    const cut = receipts.filter(({ end }) => end === 'cut').length;
    return {
      checks: [
        ...checks,
        check(
          'each worker ended with exit code 0',
          ends.every(({ exitCode }) => exitCode === 0),
          ends.map(({ exitCode }) => exitCode).join(', '),
        ),
        check(`within ${seconds(stopMaxMs)}`, slowest <= stopMaxMs, seconds(slowest)),
        check('no request was cut off', cut === 0, cut),
      ],
      figures: { ...figures, stops: ends.length },
    };
  },
};
