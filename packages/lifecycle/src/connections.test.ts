import { once } from 'node:events';
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, onTestFinished, test, vi } from 'vitest';
import {
  connectionLimitsFor,
  createConnections,
  serverOptions,
  type ConnectionLimits,
} from './connections.ts';
import { attributeAnswer } from './unread-answers.ts';

const megabyte = 1024 * 1024;
/** More than the buffers of both systems take for a client that reads nothing. */
const largeAnswer = Buffer.alloc(16 * megabyte);

/** A server for a test. The path of a request names the account of its answer. `/` is a stranger's, and `/stream` never ends. */
async function serve(limits: Partial<ConnectionLimits>) {
  const handler: RequestListener = (request, response) => {
    if (request.url === '/stream') return growFor(response);
    if (request.url !== '/') attributeAnswer(response, request.url!);
    return void response.end(largeAnswer);
  };
  const server = createServer();
  const usual = { ...connectionLimitsFor(undefined), unsentMaxBytes: 1000 * megabyte, checkEveryMs: 20 };
  const connections = createConnections({ limits: { ...usual, ...limits } });
  connections.serve(server, handler);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const sockets: Socket[] = [];
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    connections.close();
    server.close();
  });
  return {
    figures: connections.figures,
    /** Requests an answer and reads nothing. */
    ask(path: string): Socket {
      const socket = connect((server.address() as AddressInfo).port, '127.0.0.1').pause();
      socket.on('error', () => undefined);
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`);
      sockets.push(socket);
      return socket;
    },
  };
}

/** Writes on, like an event stream, until the connection closes. */
function growFor(response: ServerResponse): void {
  const writing = setInterval(() => response.write(largeAnswer.subarray(0, megabyte)), 20);
  response.once('close', () => clearInterval(writing));
}

test('a connection whose client reads nothing is ended, and one whose client reads slowly has its whole answer', async () => {
  // The limit is 50 checks. The system accepts more bytes only when a third of its buffer is free, which takes these reads about 12.
  const { ask, figures } = await serve({ stalledMaxMs: 1000, ownerUnsentMaxBytes: Infinity });
  const slow = ask('/');
  let read = 0;
  const reading = setInterval(() => {
    read += (slow.read() as Buffer | null)?.length ?? 0;
  }, 10);
  ask('/');
  ask('/stream');
  await expect.poll(() => read, { timeout: 15_000 }).toBeGreaterThan(largeAnswer.length);
  clearInterval(reading);
  await expect.poll(() => figures().ended.stalled).toBe(2);
});

test('beyond its limit of unsent bytes an account loses connections, and others do not', async () => {
  const { ask, figures } = await serve({ ownerUnsentMaxBytes: 40 * megabyte });
  for (let count = 0; count < 4; count += 1) ask('/greedy');
  ask('/calm');
  await expect
    .poll(figures, { timeout: 10_000 })
    .toMatchObject({ open: 3, ended: { stalled: 0, unsent: 2 } });
});

test('unsent bytes of all clients together have a limit, and one connection has one too, also the first one after a time without any', async () => {
  const all = await serve({ totalUnsentMaxBytes: 40 * megabyte });
  for (const path of ['/a', '/b', '/c', '/d']) all.ask(path);
  await expect.poll(() => all.figures().ended.unsent, { timeout: 10_000 }).toBe(2);
  const one = await serve({ unsentMaxBytes: megabyte });
  one.ask('/');
  await expect.poll(() => one.figures().ended.unsent, { timeout: 10_000 }).toBe(1);
  await expect.poll(() => one.figures().open).toBe(0);
  // In this time a check finds no connection, and the checks end.
  await delay(100);
  one.ask('/');
  await expect.poll(() => one.figures().ended.unsent, { timeout: 10_000 }).toBe(2);
});

test('of a body in chunks of one byte that waits to be read, less than 40 kB is kept', async () => {
  const { promise, resolve } = Promise.withResolvers<IncomingMessage>();
  const server = createServer(serverOptions, resolve);
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write('POST / HTTP/1.1\r\nHost: service\r\nTransfer-Encoding: chunked\r\n\r\n');
  socket.write('1\r\nA\r\n'.repeat(200_000));
  const request = await promise;
  // The parser finishes the part of the traffic that it has begun, 64 kB, and stops.
  await vi.waitFor(() => expect(request.socket.isPaused()).toBe(true));
  expect(request.readableLength).toBeLessThan(40_000);
  socket.destroy();
  server.close();
});
