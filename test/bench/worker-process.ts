import { startBenchProcess } from './bench-process.ts';

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

export async function startWorkerProcess({
  databaseUrl,
  encryptionKey,
  retryScheduleSeconds,
  concurrency,
}: WorkerProcessOptions): Promise<WorkerProcess> {
  const variables = {
    WEBHOOK_RETRY_SCHEDULE_SECONDS: retryScheduleSeconds.join(','),
    WORKER_CONCURRENCY: String(concurrency),
  };
  return startBenchProcess('worker', { databaseUrl, encryptionKey, variables });
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
