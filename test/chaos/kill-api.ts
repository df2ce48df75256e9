import { setTimeout as delay } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { startHealthyLoad } from './healthy-load.ts';
import { reconcile } from './reconcile.ts';
import { checkRecovery } from './recovery.ts';
import { stopTraffic } from './traffic.ts';

const eventsPerSecond = 500;
const killEveryMs = 4000;
const settleMs = 2000;

export const killApi: Drill = {
  name: 'kill-api',
  summary:
    'The API process is killed (-9) every 4 s under 500 events/s and started again. What was acknowledged is never ' +
    'lost, what was not is there whole or not at all, and nothing is sent twice.',
  seconds: 20,
  async run(run) {
    const { world, api: first, traffic } = await startHealthyLoad(run, eventsPerSecond);
    let api = first;
    let kills = 0;
    const endAt = performance.now() + run.seconds * 1000;
    while (performance.now() < endAt) {
      await delay(killEveryMs);
      await api.kill();
      kills += 1;
      run.say(`${kills} kills`);
      api = await world.startApi();
    }
    const startedAt = Date.now();
    await delay(settleMs);
    await stopTraffic(traffic);
    run.say('draining');
    const { checks, figures, receipts } = await reconcile(world, { traffic });
    return {
      checks: [...checks, checkRecovery(startedAt, traffic, receipts)],
      figures: { ...figures, kills },
    };
  },
};
