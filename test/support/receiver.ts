import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  /** The exact bytes. */
  body: Buffer;
  at: number;
}

export interface Receiver extends AsyncDisposable {
  url: string;
  received: Received[];
}

/**
 * A real HTTP receiver on a free port of this machine. It records each request and answers 200, or as `answer` does.
 * `startReceiverProcess` has one in a process of its own, for many requests.
 */
export async function startReceiver(answer?: RequestListener): Promise<Receiver> {
  const received: Received[] = [];
  const { origin, close } = await listen((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      received.push({
        path: request.url ?? '/',
        headers: request.headers,
        body: Buffer.concat(chunks),
        at: Date.now(),
      });
      if (answer) answer(request, response);
      else response.end('ok');
    });
  });
  return { url: `${origin}/hook`, received, [Symbol.asyncDispose]: close };
}

/** An HTTP server on a free port of 127.0.0.1; `close` cuts its connections. */
export async function listen(
  listener: RequestListener,
): Promise<{ origin: string; close: () => Promise<void> }> {
  const server = createServer(listener);
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
