import { freePort } from '../support/free-port.ts';
import { startServiceProcess, type ServiceProcess } from '../support/service-process.ts';

interface BenchProcessOptions {
  databaseUrl: string;
  encryptionKey: string;
  variables?: Record<string, string>;
}

/**
 * An API without a limit of calls, or a worker, as an operator starts it; resolves once it is ready. It is killed: what it still had in
 * flight is of no interest.
 */
export async function startBenchProcess(
  kind: 'api' | 'worker',
  { databaseUrl, encryptionKey, variables = {} }: BenchProcessOptions,
): Promise<ServiceProcess & AsyncDisposable> {
  const port = await freePort();
  const process = startServiceProcess({
    kind,
    name: kind,
    port,
    variables: {
      DATABASE_URL: databaseUrl,
      ENCRYPTION_KEY: encryptionKey,
      BASE_URL: 'http://localhost',
      WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8',
      WEBHOOK_ALLOW_HTTP: 'true',
      API_RATE_LIMIT: '1000000000',
      [kind === 'api' ? 'PORT' : 'WORKER_PORT']: String(port),
      ...variables,
    },
  });
  await process.untilReady();
  return { ...process, [Symbol.asyncDispose]: () => process.kill() };
}
