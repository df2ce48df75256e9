import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface ReceivedWebhook {
  headers: Record<string, string>;
  body: string;
  /** Milliseconds of performance.now(). */
  at: number;
}

interface DemoReceiver extends AsyncDisposable {
  url: string;
  /** The first webhook. Fails after `withinMs`. */
  next(withinMs: number): Promise<ReceivedWebhook>;
}

const shownHeaders = /^(content-type|user-agent|x-service-signature|webhook-.*)$/;

/** A receiver as an integrator writes it: it stores the raw body and answers 200 at once. */
export async function startDemoReceiver(): Promise<DemoReceiver> {
  const { promise, resolve } = Promise.withResolvers<ReceivedWebhook>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      response.end('thank you');
      const headers = Object.entries(request.headers).filter(([name]) => shownHeaders.test(name));
      resolve({
        headers: Object.fromEntries(headers) as Record<string, string>,
        body: Buffer.concat(chunks).toString(),
        at: performance.now(),
      });
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/webhooks`,
    async next(withinMs) {
      const timer = AbortSignal.timeout(withinMs);
      const late = once(timer, 'abort').then(() => {
        throw new Error(`No webhook came within ${withinMs / 1000} s. Is the worker running?`);
      });
      return Promise.race([promise, late]);
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
    },
  };
}
