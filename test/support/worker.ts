import { startWorker } from '@service/worker';
import { testServiceOptions } from './api.ts';

/** Starts what a worker process runs, on the database of a test. */
export async function testWorker(databaseUrl: string): Promise<AsyncDisposable> {
  const worker = await startWorker({
    ...testServiceOptions(databaseUrl),
    webhookTimeoutMs: 10_000,
    concurrency: 16,
    port: 0,
    retentionDays: 90,
  });
  return { [Symbol.asyncDispose]: () => worker.close() };
}
