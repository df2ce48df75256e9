// The worker as a process of its own, started the way operators start it.
import { spawn, type ChildProcess } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { expect, test } from 'vitest';
import { childEnvironment } from '../support/child-environment.ts';
import { testDatabase, type TestDatabase } from '../support/database.ts';
import { createDeliveryService } from '../support/delivery-service.ts';
import { eventually } from '../support/eventually.ts';
import { startReceiver } from '../support/receiver.ts';
import { silentLog } from './delivery-world.ts';

const encryptionKey = randomBytes(32).toString('base64');

interface WorkerProcess extends AsyncDisposable {
  child: ChildProcess;
  port: number;
  exit: Promise<{ code: number | null; stdout: string; stderr: string }>;
}

function spawnWorker(
  variables: Record<string, string>,
): Pick<WorkerProcess, 'child' | 'exit'> & { stdout: () => string } {
  const child = spawn(process.execPath, ['apps/worker/src/main.ts'], {
    env: { ...childEnvironment, ...variables },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  let [stdout, stderr] = ['', ''];
  child.stdout!.on('data', (chunk: Buffer) => void (stdout += chunk.toString()));
  child.stderr!.on('data', (chunk: Buffer) => void (stderr += chunk.toString()));
  // Not the child's own 'close': it never comes after the parent's disconnect().
  const ended = [once(child, 'exit'), once(child.stdout!, 'close'), once(child.stderr!, 'close')];
  const exit = Promise.all(ended).then(([exited]) => ({ code: exited![0] as number | null, stdout, stderr }));
  return { child, exit, stdout: () => stdout };
}

async function startWorkerProcess({ url }: TestDatabase): Promise<WorkerProcess> {
  const { child, exit, stdout } = spawnWorker({
    DATABASE_URL: url,
    ENCRYPTION_KEY: encryptionKey,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: '0,1',
    WORKER_PORT: '0',
  });
  const port = await eventually(
    'the worker to work',
    () => Number(/"port":(\d+),.*"msg":"Working"/.exec(stdout())?.[1]),
    20_000,
  );
  return {
    child,
    port,
    exit,
    async [Symbol.asyncDispose]() {
      if (child.exitCode === null) child.kill('SIGKILL');
      await exit;
    },
  };
}

/** Makes an endpoint and a delivery like the API. Returns a function for the status of the delivery. */
async function enqueueOne({ database }: TestDatabase, url: string): Promise<() => Promise<string>> {
  const options = { database, encryptionKey, log: silentLog, retryScheduleSeconds: [0, 1] };
  await using service = createDeliveryService(options);
  const { deliveries, reader, writeAs } = service;
  const accountId = crypto.randomUUID();
  const [deliveryId] = await writeAs(accountId, async (tx) => {
    const { endpointId } = await deliveries.createEndpoint(tx, { url, enabled: true });
    return deliveries.enqueue(tx, [{ endpointId, eventType: 'registered', body: '{}' }]);
  });
  return async () => (await deliveries.get(reader(accountId), { deliveryId: deliveryId! })).status;
}

test('a worker process delivers, answers on its status server, and on SIGTERM records attempts in flight and exits with 0', async () => {
  await using db = await testDatabase();
  await using worker = await startWorkerProcess(db);
  const get = (path: string) => fetch(`http://127.0.0.1:${worker.port}${path}`);
  expect(await (await get('/healthz')).json()).toEqual({ status: 'ok' });
  expect(await (await get('/readyz')).json()).toEqual({ status: 'ok' });
  expect((await get('/elsewhere')).status).toBe(404);

  await using healthy = await startReceiver();
  const statusOfFirst = await enqueueOne(db, healthy.url);
  await eventually('the first delivery', async () => (await statusOfFirst()) === 'success');
  const shows = async (...lines: string[]): Promise<boolean> => {
    const metrics = await (await get('/metrics')).text();
    return lines.every((line) => metrics.includes(`\n${line}\n`));
  };
  const inFlight = (lane: string): string => `delivery_in_flight{lane="${lane}"} 1`;
  const counted = ['claims_total', 'queue_seconds_count', 'attempt_duration_seconds_count'];
  await eventually('the first delivery in the metrics', () =>
    shows(
      'delivery_attempts_total{outcome="success"} 1',
      ...counted.map((name) => `delivery_${name} 1`),
      'delivery_write_back_seconds_count 1',
      'delivery_results_late_total 0',
      'delivery_due 0',
      'delivery_endpoints{health="paused"} 0',
    ),
  );

  const open: ServerResponse[] = [];
  await using slow = await startReceiver((_request, response) => void open.push(response));
  const statusOfSecond = await enqueueOne(db, slow.url);
  await eventually('the second request', () => open.length === 1);
  expect((await shows(inFlight('fast'))) || (await shows(inFlight('slow')))).toBe(true);
  expect(await shows('delivery_due 1')).toBe(true);
  worker.child.kill('SIGTERM');
  await eventually('the worker to stop listening', () =>
    get('/healthz').then(
      () => false,
      () => true,
    ),
  );
  open[0]!.end();
  const { code, stderr } = await worker.exit;
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(await statusOfSecond()).toBe('success');
});

test('a worker whose parent process has ended stops by itself', async () => {
  await using db = await testDatabase();
  await using worker = await startWorkerProcess(db);
  worker.child.disconnect();
  expect(await worker.exit).toMatchObject({ code: 0 });
});

test('all bad variables are named on standard error without their secrets, and nothing else is printed', async () => {
  const { exit } = spawnWorker({
    ENCRYPTION_KEY: 'short',
    WORKER_CONCURRENCY: '-1',
    SMTP_URL: 'smtp://hooks:hunter2@127.0.0.1:9',
  });
  const { code, stdout, stderr } = await exit;
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  for (const problem of [
    'DATABASE_URL: is required',
    'ENCRYPTION_KEY: 32',
    'WORKER_CONCURRENCY',
    'SMTP_URL: needs MAIL_FROM beside it',
  ])
    expect(stderr).toContain(problem);
  expect(stderr).toMatch(/^Bad configuration:\n/);
  expect(stderr).not.toContain('hunter2');
});
