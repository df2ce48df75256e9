import type { Socket } from 'node:net';
import { expect } from 'vitest';
import { delivered, failed, type Row } from './row.ts';
import { noReceiver, startTcpReceiver } from './sockets.ts';

const does = (name: string, speak: (socket: Socket) => void, message: RegExp): Row => ({
  name,
  start: () => startTcpReceiver(speak),
  expected: failed('reset'),
  also({ delivery }) {
    expect(delivery.attemptLog[0]!.failureMessage).toMatch(message);
  },
});

const says = (name: string, text: string, message: RegExp): Row =>
  does(name, (socket) => socket.write(text), message);

const brokeOff = /^The connection broke off before an answer came/;
const notHttp = /^The answer is not HTTP/;

function writeHeadersForEver(socket: Socket): void {
  const more = (): void => {
    for (let room = true; room && !socket.destroyed;) room = socket.write(`x: ${'y'.repeat(1000)}\r\n`);
  };
  socket.on('drain', more).write('HTTP/1.1 200 OK\r\n');
  more();
}

export const connectionRows: Row[] = [
  does('resets the connection before it answers', (socket) => socket.resetAndDestroy(), brokeOff),
  does('closes the connection before it answers', (socket) => socket.end(), brokeOff),
  does(
    'closes the connection in the middle of the headers',
    (socket) => socket.end('HTTP/1.1 200 OK\r\ncontent-le'),
    brokeOff,
  ),
  does('sends headers without an end', writeHeadersForEver, /OVERFLOW/),
  says('answers with something that is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n', notHttp),
  says('answers with a status of four digits', 'HTTP/1.1 2000 OK\r\n\r\n', notHttp),
  says('answers 099, which is not a status', 'HTTP/1.1 099 Odd\r\n\r\n', /./),
  says(
    'answers with two lengths',
    'HTTP/1.1 200 OK\r\ncontent-length: 2\r\ncontent-length: 3\r\n\r\nok',
    /CONTENT_LENGTH_MISMATCH/,
  ),
  says(
    'switches to a protocol that was not requested',
    'HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n',
    brokeOff,
  ),
  {
    name: 'sends 100 before its answer without a request for it',
    start: () =>
      startTcpReceiver((socket) =>
        socket.write('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok'),
      ),
    expected: delivered(200, { responseSnippet: 'ok' }),
  },
  {
    name: 'refuses connections',
    // tcpmux (RFC 1078), which has not been in use for decades.
    start: () => Promise.resolve(noReceiver('http://127.0.0.1:1/hook')),
    expected: failed('connect', { calls: 0 }),
  },
  {
    name: 'accepts and does not begin with TLS',
    async start() {
      const receiver = await startTcpReceiver(() => undefined);
      return { ...receiver, url: receiver.url.replace('http:', 'https:') };
    },
    expected: failed('connect'),
  },
];
