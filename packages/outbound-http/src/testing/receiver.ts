// A real receiver on this machine, which remembers what it was sent. Closes itself at the end of the test.
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { type AddressInfo, createServer as createTcpServer, type Server, type Socket } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { onTestFinished } from 'vitest';
import { certificate, key } from './certificate.ts';

interface Received {
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

export interface ReceiverOptions {
  /** HTTPS under a certificate of receiver.test. */
  tls?: boolean;
  /** Another than the valid one, in PEM. */
  cert?: string;
  /** Listens on every address of this machine and not only on 127.0.0.1. */
  everywhere?: boolean;
}

/** Starts an HTTP receiver on 127.0.0.1. */
export async function startReceiver(answer: Answer, options: ReceiverOptions = {}): Promise<Receiver> {
  const receiver: Receiver = { port: 0, url: '', requests: [], connections: 0 };
  const listener: RequestListener = (request, response) => {
    let body = '';
    request.setEncoding('utf8').on('data', (chunk: string) => (body += chunk));
    request.on('end', () => {
      const { method = '', url: path = '', headers } = request;
      const received = { method, path, headers, body, servername: (request.socket as TLSSocket).servername };
      receiver.requests.push(received);
      answer(response, received);
    });
  };
  const { cert = certificate } = options;
  const server = options.tls ? createTlsServer({ key, cert }, listener) : createServer(listener);
  server.on('connection', () => receiver.connections++);
  await listen(server, options.everywhere);
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

function listen(server: Server, everywhere = false): Promise<void> {
  return new Promise((resolve) =>
    server.listen({ port: 0, host: everywhere ? undefined : '127.0.0.1' }, resolve),
  );
}
