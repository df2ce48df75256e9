// Receivers that write raw bytes to a socket, and TLS receivers with any certificate.
import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { startReceiver, type Receiver } from '../../support/receiver.ts';
import { key } from './certificates.ts';

/** Calls `speak` with each connection after its first data. */
export async function startTcpReceiver(speak: (socket: Socket) => void): Promise<Receiver> {
  const received: Receiver['received'] = [];
  const server = createServer((socket) => {
    socket.once('data', (body: Buffer) => {
      received.push({ path: '', headers: {}, body, at: Date.now() });
      speak(socket);
    });
  });
  const { port, close } = await listen(server);
  return { url: `http://127.0.0.1:${port}/hook`, received, [Symbol.asyncDispose]: close };
}

/** An HTTPS receiver that shows a certificate (PEM), under a name that the DNS of these tests knows. */
export async function startTlsReceiver(
  { host, cert }: { host: string; cert: string },
  answer?: RequestListener,
): Promise<Receiver> {
  const inner = await startReceiver(answer);
  const target = Number(new URL(inner.url).port);
  const server = createTlsServer({ key, cert }, (socket) => {
    const onward = connect(target, '127.0.0.1');
    onward.on('error', () => socket.destroy()).on('close', () => socket.destroy());
    socket.on('close', () => onward.destroy());
    socket.pipe(onward).pipe(socket);
  });
  const { port, close } = await listen(server);
  return {
    url: `https://${host}:${port}/hook`,
    received: inner.received,
    async [Symbol.asyncDispose]() {
      await close();
      await inner[Symbol.asyncDispose]();
    },
  };
}

/** A URL without a receiver. */
export const noReceiver = (url: string): Receiver => ({
  url,
  received: [],
  [Symbol.asyncDispose]: () => Promise.resolve(),
});

/** On every address of this machine: some receivers must be there to be called, and not be called. */
async function listen(server: Server): Promise<{ port: number; close: () => Promise<void> }> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => sockets.delete(socket));
  });
  server.on('secureConnection', (socket: Socket) => socket.on('error', () => socket.destroy()));
  server.listen(0);
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
