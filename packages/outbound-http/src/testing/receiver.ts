// A real receiver on this machine, which remembers what it was sent. Closes itself at the end of the test.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { createServer as createTcpServer } from 'node:net';
import { text } from 'node:stream/consumers';
import type { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { certificate, key } from './certificate.ts';

export interface Received {
  method: string;
  path: string;
  headers: IncomingMessage['headers'];
  body: string;
  /** The name asked for by TLS (SNI). */
  servername: string | false | null | undefined;
}

export interface Receiver {
  port: number;
  url: string;
  requests: Received[];
  connections: number;
}

export type Answer = (response: ServerResponse, request: Received) => void;

/** Starts an HTTP receiver on 127.0.0.1; with `tls` it is HTTPS under the certificate of receiver.test. */
export async function startReceiver(answer: Answer, options: { tls?: boolean } = {}): Promise<Receiver> {
  const receiver: Receiver = { port: 0, url: '', requests: [], connections: 0 };
  const listener: RequestListener = async (request, response) => {
    const received: Received = {
      method: request.method ?? '',
      path: request.url ?? '',
      headers: request.headers,
      body: await text(request),
      servername: (request.socket as TLSSocket).servername,
    };
    receiver.requests.push(received);
    answer(response, received);
  };
  const server = options.tls ? createTlsServer({ key, cert: certificate }, listener) : createServer(listener);
  server.on('connection', () => receiver.connections++);
  await listen(server);
  onTestFinished(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });
  receiver.port = (server.address() as AddressInfo).port;
  receiver.url = `http://127.0.0.1:${receiver.port}`;
  return receiver;
}

/** Starts a bare TCP server on 127.0.0.1, for what no HTTP server would do. Gives its port. */
export async function startTcpServer(onConnection: (socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createTcpServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy());
    onConnection(socket);
  });
  await listen(server);
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    await new Promise((resolve) => server.close(resolve));
  });
  return (server.address() as AddressInfo).port;
}

function listen(server: ReturnType<typeof createTcpServer>): Promise<void> {
  return new Promise((resolve) => server.listen(0, '127.0.0.1', resolve));
}
