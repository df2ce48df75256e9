import { startWorker, type RunningWorker, type WorkerOptions } from '@service/worker';
import { testServiceOptions } from './api.ts';

export interface TestWorker extends RunningWorker, AsyncDisposable {
  /** A call of its status server. */
  get(path: string): Promise<Response>;
}

/** Starts what a worker process runs, on the database of a test. */
export async function testWorker(
  databaseUrl: string,
  options: Partial<WorkerOptions> = {},
): Promise<TestWorker> {
  const worker = await startWorker({
    ...testServiceOptions(databaseUrl),
    baseUrl: 'https://webinars.example.com',
    webhookTimeoutMs: 10_000,
    concurrency: 16,
    port: 0,
    retentionDays: 90,
    ...options,
  });
  return {
    ...worker,
    get: (path) => fetch(`http://127.0.0.1:${worker.port}${path}`),
    [Symbol.asyncDispose]: () => worker.close(),
  };
}
