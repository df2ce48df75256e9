import { freePort } from '../support/free-port.ts';
import { startServiceProcess } from '../support/service-process.ts';

export interface WorkerProcess extends AsyncDisposable {
  pid: number;
}

export interface WorkerProcessOptions {
  databaseUrl: string;
  encryptionKey: string;
  retryScheduleSeconds: readonly number[];
  /** Deliveries in flight at once. */
  concurrency: number;
}

/** A worker process as an operator starts it; resolves once it works. It is killed: what it still had in flight is of no interest. */
export async function startWorkerProcess({
  databaseUrl,
  encryptionKey,
  retryScheduleSeconds,
  concurrency,
}: WorkerProcessOptions): Promise<WorkerProcess> {
  const port = await freePort();
  const variables = {
    DATABASE_URL: databaseUrl,
    ENCRYPTION_KEY: encryptionKey,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
    WEBHOOK_ALLOW_HTTP: 'true',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: retryScheduleSeconds.join(','),
    WORKER_CONCURRENCY: String(concurrency),
    WORKER_PORT: String(port),
  };
  const worker = startServiceProcess({ kind: 'worker', name: 'worker', port, variables });
  await worker.untilReady();
  return { pid: worker.pid, [Symbol.asyncDispose]: () => worker.kill() };
}

/** Several on one database, which end together. */
export async function startWorkers(
  world: { startWorker(concurrency: number): Promise<WorkerProcess> },
  processes: number,
  concurrency: number,
): Promise<AsyncDisposable & { workers: WorkerProcess[] }> {
  await using started = new AsyncDisposableStack();
  const workers: WorkerProcess[] = [];
  for (let index = 0; index < processes; index += 1)
    workers.push(started.use(await world.startWorker(concurrency)));
  const kept = started.move();
  return { workers, [Symbol.asyncDispose]: () => kept.disposeAsync() };
}
