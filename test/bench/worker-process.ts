import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';

export interface WorkerProcess extends AsyncDisposable {
  pid: number;
}

export interface WorkerProcessOptions {
  databaseUrl: string;
  encryptionKey: string;
  retryScheduleSeconds: readonly number[];
  /** Deliveries in flight at once. */
  concurrency: number;
  timeoutMs?: number;
}

const main = fileURLToPath(new URL('../../apps/worker/src/main.ts', import.meta.url));

/**
 * A worker process as an operator starts it; resolves once it works. What it warns of goes to standard error. Disposing
 * kills it: what it still had in flight is of no interest then.
 */
export async function startWorkerProcess({
  databaseUrl,
  encryptionKey,
  retryScheduleSeconds,
  concurrency,
  timeoutMs = 10_000,
}: WorkerProcessOptions): Promise<WorkerProcess> {
  const child = spawn(process.execPath, [main], {
    // With the channel between them it ends when the bench does.
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
    env: {
      PATH: process.env['PATH'],
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: encryptionKey,
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      WEBHOOK_TIMEOUT_MS: String(timeoutMs),
      WEBHOOK_RETRY_SCHEDULE_SECONDS: retryScheduleSeconds.join(','),
      WORKER_CONCURRENCY: String(concurrency),
      WORKER_PORT: '0',
    },
  });
  const ended = once(child, 'exit');
  const working = Promise.withResolvers<void>();
  createInterface(child.stdout!).on('line', (line) => {
    const entry = (line.startsWith('{') ? JSON.parse(line) : {}) as { level?: string; msg?: string };
    if (entry.msg === 'Working') working.resolve();
    if (entry.level !== 'info') console.error(line);
  });
  ended.then(([code]) => working.reject(new Error(`The worker ended with ${code}.`)), working.reject);
  await working.promise;
  return {
    pid: child.pid!,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await ended;
    },
  };
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
