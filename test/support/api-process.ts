import type { RateLimit } from '@service/keys';
import { testEncryptionKey } from './api.ts';
import { freePort } from './free-port.ts';
import { startServiceProcess, type ServiceProcess } from './service-process.ts';

export interface ApiProcess extends AsyncDisposable, Pick<ServiceProcess, 'logged' | 'kill'> {
  /** Without a trailing slash. */
  baseUrl: string;
}

interface ApiProcessOptions {
  rateLimit?: RateLimit;
  clockAheadMs?: number;
}

/** An API process of its own on the database of a test, started as an operator would. */
export async function startApiProcess(
  databaseUrl: string,
  { rateLimit = { requests: 1_000_000, windowSeconds: 60 }, clockAheadMs }: ApiProcessOptions = {},
): Promise<ApiProcess> {
  const port = await freePort();
  const variables = {
    DATABASE_URL: databaseUrl,
    PORT: String(port),
    ENCRYPTION_KEY: testEncryptionKey,
    WEBHOOK_ALLOWED_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_ALLOW_HTTP: 'true',
    API_RATE_LIMIT: String(rateLimit.requests),
    API_RATE_WINDOW_SECONDS: String(rateLimit.windowSeconds),
  };
  const process = startServiceProcess({ kind: 'api', name: 'api', port, variables, clockAheadMs });
  await process.untilReady();
  return {
    ...process,
    baseUrl: `http://localhost:${port}`,
    [Symbol.asyncDispose]: async () => void (await process.stop()),
  };
}
