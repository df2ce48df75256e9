import type { DrillRun } from './drill.ts';
import type { ServiceProcess } from './service-process.ts';
import { subscribeHealthy } from './subscriptions.ts';
import { startMixedTraffic, type Traffic } from './traffic.ts';
import type { ChaosWorld } from './world.ts';

interface HealthyLoad {
  world: ChaosWorld;
  api: ServiceProcess;
  workers: ServiceProcess[];
  traffic: Traffic[];
}

const webinars = 10;

/** An API and two workers that are ready, and events for ten receivers that answer at once. */
export async function startHealthyLoad(
  { openWorld, say }: DrillRun,
  eventsPerSecond: number,
): Promise<HealthyLoad> {
  const world = await openWorld({ webinars });
  const api = await world.startApi();
  await subscribeHealthy(world, world.webinars);
  const workers = [await world.startWorker(), await world.startWorker()];
  await Promise.all(workers.map((worker) => worker.untilReady()));
  say('under load');
  return { world, api, workers, traffic: startMixedTraffic(world, world.webinars, eventsPerSecond) };
}
