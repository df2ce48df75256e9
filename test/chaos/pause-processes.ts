import { setTimeout as delay } from 'node:timers/promises';
import type { Drill } from './drill.ts';
import { startHealthyLoad } from './healthy-load.ts';
import { checkAlive } from './processes-alive.ts';
import { reconcile } from './reconcile.ts';
import { awaitRecovery, checkRecovery } from './recovery.ts';
import { stopTraffic } from './traffic.ts';

const eventsPerSecond = 200;
const settleMs = 3000;
/** The API stands still for this share of the time, the worker for all of it. */
const apiShare = 0.3;

export const pauseProcesses: Drill = {
  name: 'pause-processes',
  summary:
    'One of two workers is stopped (SIGSTOP) for longer than its leases last, and the API for a part of that time, as on a ' +
    'machine that is moved or swaps. The other worker takes over, and nothing is lost when they go on.',
  seconds: 24,
  async run(run) {
    const { world, api, workers, traffic } = await startHealthyLoad(run, eventsPerSecond);
    await delay(settleMs);
    const from = Date.now();
    workers[0]!.signal('SIGSTOP');
    run.say('a worker paused');
    await delay(run.seconds * 1000 * (1 - apiShare));
    api.signal('SIGSTOP');
    run.say('a worker and the API paused');
    await delay(run.seconds * 1000 * apiShare);
    api.signal('SIGCONT');
    workers[0]!.signal('SIGCONT');
    const to = Date.now();
    run.say('all go on');
    await awaitRecovery(world, traffic, to);
    await delay(settleMs);
    await stopTraffic(traffic);
    run.say('draining');
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions: [{ from, to }] });
    return {
      checks: [...checks, checkRecovery(to, traffic, receipts), checkAlive([api, ...workers])],
      figures,
    };
  },
};
