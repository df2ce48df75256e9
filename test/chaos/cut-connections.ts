import { setTimeout as delay } from 'node:timers/promises';
import { check, type Drill } from './drill.ts';
import { startHealthyLoad } from './healthy-load.ts';
import { checkAlive } from './processes-alive.ts';
import { reconcile } from './reconcile.ts';
import { awaitRecovery, checkRecovery } from './recovery.ts';
import { stopTraffic } from './traffic.ts';

const eventsPerSecond = 200;
const everyMs = 150;
const settleMs = 3000;

// Chance decides, so that connections of each kind are cut: pools, listeners, liveness locks.
const cutOne = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name in ('api', 'worker') and datname = current_database()
  order by random() limit 1`;

export const cutConnections: Drill = {
  name: 'cut-connections',
  summary:
    'Every 150 ms PostgreSQL ends one connection of the API or of a worker, idle or busy. No process ends, and ' +
    'nothing is lost.',
  seconds: 12,
  async run(run) {
    const { world, api, workers, traffic } = await startHealthyLoad(run, eventsPerSecond);
    const from = Date.now();
    let cut = 0;
    const endAt = performance.now() + run.seconds * 1000;
    while (performance.now() < endAt) {
      cut += (await world.query(cutOne)).length;
      run.say(`${cut} connections ended`);
      await delay(everyMs);
    }
    const to = Date.now();
    await awaitRecovery(world, traffic, to);
    await delay(settleMs);
    await stopTraffic(traffic);
    run.say('draining');
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions: [{ from, to }] });
    return {
      checks: [
        ...checks,
        check('connections were ended', cut > run.seconds, cut),
        checkRecovery(to, traffic, receipts),
        checkAlive([api, ...workers]),
      ],
      figures: { ...figures, 'connections ended': cut },
    };
  },
};
