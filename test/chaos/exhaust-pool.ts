import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { check, type Drill } from './drill.ts';
import { startHealthyLoad } from './healthy-load.ts';
import { checkAlive } from './processes-alive.ts';
import { reconcile } from './reconcile.ts';
import { awaitRecovery, checkRecovery } from './recovery.ts';
import { stopTraffic } from './traffic.ts';
import type { ChaosWorld } from './world.ts';

const eventsPerSecond = 300;
const settleMs = 3000;

export const exhaustPool: Drill = {
  name: 'exhaust-pool',
  summary:
    'Another program takes every connection of PostgreSQL, also those of the service, half of them with long statements. ' +
    'When they are free again, the service goes on by itself, and nothing is lost.',
  seconds: 10,
  async run(run) {
    const { world, api, workers, traffic } = await startHealthyLoad(run, eventsPerSecond);
    await delay(settleMs);
    run.say('without connections');
    const takenAt = Date.now();
    const taken = await takeConnections(world, run.seconds);
    const freedAt = Date.now();
    run.say('with connections again');
    await awaitRecovery(world, traffic, freedAt);
    await delay(settleMs);
    await stopTraffic(traffic);
    run.say('draining');
    const interruptions = [{ from: takenAt, to: freedAt }];
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions });
    return {
      checks: [
        ...checks,
        check(
          'every connection was taken',
          taken.refused > 0,
          `${taken.connections} taken, ${taken.refused} refused`,
        ),
        checkRecovery(freedAt, traffic, receipts),
        checkAlive([api, ...workers]),
      ],
      figures: { ...figures, 'connections taken': taken.connections },
    };
  },
};

const cutService = `select pg_terminate_backend(pid) from pg_stat_activity where application_name in ('api', 'worker')`;

/** Takes connections until one is refused, cuts those of the service and takes them too, for so many seconds. */
async function takeConnections(
  world: ChaosWorld,
  forSeconds: number,
): Promise<{ connections: number; refused: number }> {
  const clients: Client[] = [];
  let refused = 0;
  const takeAll = async (): Promise<void> => {
    for (;;) {
      const client = new Client({ connectionString: world.databaseUrl, application_name: 'hog' });
      client.on('error', () => undefined);
      try {
        await client.connect();
      } catch {
        refused += 1;
        return;
      }
      if (clients.push(client) % 2 === 0)
        client.query(`select pg_sleep(${forSeconds})`).catch(() => undefined);
    }
  };
  const endAt = performance.now() + forSeconds * 1000;
  // Before there are none left.
  const ours = new Client({ connectionString: world.databaseUrl });
  await ours.connect();
  await takeAll();
  await ours.query(cutService);
  while (performance.now() < endAt) {
    await takeAll();
    await delay(20);
  }
  await Promise.all([ours, ...clients].map((client) => client.end().catch(() => undefined)));
  return { connections: clients.length, refused };
}
