import { expect, test } from 'vitest';
import { eventually } from '../support/eventually.ts';
import { testWorker } from '../support/worker.ts';
import { createClockWorld, once, type ClockWorld } from './clock-world.ts';

async function startClock({ url }: ClockWorld) {
  const worker = await testWorker(url, { webhookTimeoutMs: 100, progressMaxAgeMs: 2000 });
  return {
    metrics: async () => (await worker.get('/metrics')).text(),
    status: async () => ((await (await worker.get('/readyz')).json()) as { status: string }).status,
    [Symbol.asyncDispose]: () => worker.close(),
  };
}

const hoursAgo = (hours: number): string =>
  new Date(Math.floor(Date.now() / 60_000 - hours * 60) * 60_000).toISOString();

test('a worker runs the clock, fires rules and counts the changes', async () => {
  await using world = await createClockWorld();
  const [before, start] = [hoursAgo(5), hoursAgo(4)];
  const webinarId = await world.publish(before, { schedule: once(start) });
  await world.at(before).automations.rules.create({
    webinarId,
    name: 'Missed',
    trigger: { type: 'no_show' },
    action: { type: 'webhook', url: 'http://127.0.0.1:9/' },
  });
  await world.register(before, { webinarId, sessionTime: start });
  await using worker = await startClock(world);
  await eventually('a delivery', async () => {
    const [delivery] = await world.query('select body from deliveries.body');
    return delivery && JSON.parse(delivery.body).event_type === 'no_show';
  });
  await eventually('the counts', async () => {
    const metrics = await worker.metrics();
    return ['started', 'ended', 'no_show'].every((change) =>
      metrics.includes(`\nsession_clock_total{change="${change}"} 1\n`),
    );
  });
  expect(await worker.metrics()).toContain('session_clock_total{change="left"} 0');
});

test('a worker whose clock is stuck is not ready until it runs again', async () => {
  await using world = await createClockWorld();
  await using worker = await startClock(world);
  await eventually('the worker to be ready', async () => (await worker.status()) === 'ok');
  const locking = await world.database.pool.connect();
  try {
    await locking.query('begin; lock table webinars.session in access exclusive mode');
    await eventually('it to say so', async () => (await worker.status()) === 'session clock stands still');
  } finally {
    // Ends its transaction too.
    locking.release(true);
  }
  await eventually('the worker to be ready again', async () => (await worker.status()) === 'ok');
});
