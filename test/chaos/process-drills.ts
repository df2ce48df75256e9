// Drills that kill, pause and cut off processes of the service under a healthy load.
import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { check } from './drill.ts';
import { healthyDrill } from './healthy-drill.ts';
import type { ChaosWorld } from './world.ts';

const killEveryMs = 4000;

export const killApi = healthyDrill({
  name: 'kill-api',
  summary:
    'The API process is killed (-9) every 4 s under 500 events/s and started again. What was acknowledged is never ' +
    'lost, what was not is there whole or not at all, and nothing is sent twice.',
  seconds: 20,
  eventsPerSecond: 500,
  settleMs: 2000,
  async makeTrouble({ world, api: first, seconds, say }) {
    let api = first;
    let kills = 0;
    const endAt = performance.now() + seconds * 1000;
    while (performance.now() < endAt) {
      await delay(killEveryMs);
      await api.kill();
      kills += 1;
      say(`${kills} kills`);
      api = await world.startApi();
    }
    return { endedAt: Date.now(), figures: { kills }, mayEnd: true };
  },
});

/** The API stands still for this share of the time, the worker for all of it. */
const apiShare = 0.3;

export const pauseProcesses = healthyDrill({
  name: 'pause-processes',
  summary:
    'One of two workers is stopped (SIGSTOP) for longer than its leases last, and the API for a part of that time, as on a ' +
    'machine that is moved or swaps. The other worker takes over, and nothing is lost when they go on.',
  seconds: 24,
  eventsPerSecond: 200,
  settleMs: 3000,
  async makeTrouble({ api, workers: [worker], seconds, say }) {
    await delay(3000);
    const from = Date.now();
    worker!.signal('SIGSTOP');
    say('a worker paused');
    await delay(seconds * 1000 * (1 - apiShare));
    api.signal('SIGSTOP');
    say('a worker and the API paused');
    await delay(seconds * 1000 * apiShare);
    api.signal('SIGCONT');
    worker!.signal('SIGCONT');
    say('all go on');
    return { interruptions: [{ from, to: Date.now() }] };
  },
});

const cutEveryMs = 150;

// Chance decides, so that connections of each kind are cut: pools, listeners, liveness locks.
const cutOne = `
  select pg_terminate_backend(pid) from pg_stat_activity
  where application_name in ('api', 'worker') and datname = current_database()
  order by random() limit 1`;

export const cutConnections = healthyDrill({
  name: 'cut-connections',
  summary:
    'Every 150 ms PostgreSQL ends one connection of the API or of a worker, idle or busy. No process ends, and ' +
    'nothing is lost.',
  seconds: 12,
  eventsPerSecond: 200,
  settleMs: 3000,
  async makeTrouble({ world, seconds, say }) {
    const from = Date.now();
    let cut = 0;
    const endAt = performance.now() + seconds * 1000;
    while (performance.now() < endAt) {
      cut += (await world.query(cutOne)).length;
      say(`${cut} connections ended`);
      await delay(cutEveryMs);
    }
    return {
      interruptions: [{ from, to: Date.now() }],
      checks: () => [check('connections were ended', cut > seconds, cut)],
      figures: { 'connections ended': cut },
    };
  },
});

export const exhaustPool = healthyDrill({
  name: 'exhaust-pool',
  summary:
    'Another program takes every connection of PostgreSQL, also those of the service, half of them with long statements. ' +
    'When they are free again, the service goes on by itself, and nothing is lost.',
  seconds: 10,
  eventsPerSecond: 300,
  settleMs: 3000,
  async makeTrouble({ world, seconds, say }) {
    await delay(3000);
    say('without connections');
    const from = Date.now();
    const { connections, refused } = await takeConnections(world, seconds);
    say('with connections again');
    const figure = `${connections} taken, ${refused} refused`;
    return {
      interruptions: [{ from, to: Date.now() }],
      checks: () => [check('every connection was taken', refused > 0, figure)],
      figures: { 'connections taken': connections },
    };
  },
});

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
