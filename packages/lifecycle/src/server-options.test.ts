import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { expect, test, vi } from 'vitest';
import { serverOptions } from './connections.ts';

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
