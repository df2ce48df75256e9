import { setTimeout as delay } from 'node:timers/promises';
import { check, type Drill } from './drill.ts';
import { startHealthyLoad } from './healthy-load.ts';
import type { Interruption } from './judge.ts';
import { checkAlive } from './processes-alive.ts';
import { reconcile } from './reconcile.ts';
import { awaitRecovery, checkRecovery } from './recovery.ts';
import { stopTraffic } from './traffic.ts';
import type { ChaosWorld } from './world.ts';

const eventsPerSecond = 300;
const settleMs = 5000;
const recoverMaxMs = 20_000;

export const crashPostgres: Drill = {
  name: 'crash-postgres',
  summary:
    'One server process of PostgreSQL is killed (-9), so that it cuts all sessions and recovers by itself; later its main ' +
    'process is killed (-9) and it is started again. Nothing that was acknowledged is lost.',
  seconds: 12,
  async run(run) {
    const { world, api, workers, traffic } = await startHealthyLoad(run, eventsPerSecond);
    await delay((run.seconds * 1000) / 2);
    run.say('one server process killed');
    const first = await crashBackend(world);
    await awaitRecovery(world, traffic, first.to);
    await delay((run.seconds * 1000) / 2);
    run.say('main process killed');
    const from = Date.now();
    await world.postgres.kill();
    await world.postgres.start();
    const second = { from, to: Date.now() };
    await awaitRecovery(world, traffic, second.to);
    await delay(settleMs);
    await stopTraffic(traffic);
    run.say('draining');
    const interruptions = [first, second];
    const { checks, figures, receipts } = await reconcile(world, { traffic, interruptions });
    return {
      checks: [
        ...checks,
        check(
          'after the death of one process the server recovers by itself',
          first.to - first.from < recoverMaxMs,
          `${first.to - first.from} ms`,
        ),
        checkRecovery(second.to, traffic, receipts),
        checkAlive([api, ...workers]),
      ],
      figures,
    };
  },
};

/** Resolves when the server answers again. */
async function crashBackend(world: ChaosWorld): Promise<Interruption> {
  const [backend] = await world.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'api' and datname = current_database() limit 1`,
  );
  const from = Date.now();
  process.kill(backend!.pid, 'SIGKILL');
  const endAt = from + recoverMaxMs;
  // The first answers may still come from before the server has seen the death of its child.
  await delay(200);
  for (;;) {
    try {
      await world.query('select 1');
      return { from, to: Date.now() };
    } catch {
      if (Date.now() > endAt) return { from, to: Date.now() };
      await delay(50);
    }
  }
}
