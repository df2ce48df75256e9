// Procedures of a test on the chain of a running service.
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createLog } from '@service/log';
import { createRestHandler } from '@service/rest';
import { keyScheme, type ChainOptions } from '@service/surface';
import type { TestApi } from './api.ts';

/** The chain of the service, with its own procedures or those of a test. */
export const chainOptions = (
  { api: { service }, baseUrl }: TestApi,
  router: ChainOptions['router'] = service.router,
): ChainOptions => ({
  router,
  database: service.database,
  log: createLog('test', { level: 'silent' }),
  credentials: keyScheme(service.admitKey),
  answers: service.answers,
  record: service.activity.record,
  // The service announces its own writes only.
  onWritten: router === service.router ? service.onWritten : () => undefined,
  apiUrl: `${baseUrl}/api/v1`,
});

/** Serves procedures of a test over REST. */
export async function serveRest(
  service: TestApi,
  router: ChainOptions['router'],
): Promise<AsyncDisposable & { origin: string }> {
  const handler = createRestHandler(chainOptions(service, router));
  const server = createServer((request, response) => void handler(request, response)).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
