// Strangers who use connections in another way than browsers do.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

let service: TestApi;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());

/** A connection that keeps the text of its answers. */
function open({ baseUrl }: TestApi): { socket: Socket; answers: () => string } {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  let answers = '';
  socket.on('data', (chunk) => (answers += chunk));
  return { socket, answers: () => answers };
}

const requestOf = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

// Other systems do not list the descriptors of a process.
test.skipIf(process.platform !== 'linux')(
  'a client that sends 200 requests for a page at once and goes away leaves nothing open',
  async () => {
    const countOpen = (): number => readdirSync('/proc/self/fd').length;
    await fetch(service.baseUrl);
    const before = countOpen();
    for (const path of ['/', '/favicon.svg', '/api/v1/docs/scalar.js']) {
      const { socket } = open(service);
      socket.write(requestOf(path).repeat(200));
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    await eventually('nothing is open', () => countOpen() <= before + 3);
  },
);
