import type { RequestListener } from 'node:http';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/receiver.ts';
import { delivered, refused, type Expected, type Row } from './row.ts';
import { startTcpReceiver } from './sockets.ts';

/** Bytes of an answer that are kept. */
const kept = 2048;

const answers = (name: string, answer: RequestListener, expected: Expected): Row => ({
  name,
  start: () => startReceiver(answer),
  expected,
});

const says = (name: string, body: string, responseSnippet: string): Row =>
  answers(name, (_request, response) => response.end(body), delivered(200, { responseSnippet }));

/** Sends a gigabyte as fast as it is taken, and counts what it could write until the connection was cut. */
function gigabyte(name: string, headers: Record<string, string>): Row {
  let written: number | undefined;
  const send: RequestListener = (_request, response) => {
    const { socket } = response;
    let left = 2 ** 30;
    const more = (): void => {
      for (let room = true; room && left > 0 && !response.destroyed; left -= 65_536)
        room = response.write('x'.repeat(65_536));
      if (left <= 0) response.end();
    };
    response.on('drain', more).on('close', () => (written = socket!.bytesWritten));
    response.writeHead(200, headers);
    more();
  };
  return {
    ...answers(name, send, delivered(200, { responseSnippet: 'x'.repeat(kept) })),
    async also() {
      const bytes = await eventually('the connection to be cut', () => written);
      // No more than the buffers of two sockets.
      expect(bytes).toBeLessThan(2 ** 26);
    },
  };
}

const bomb = gzipSync(Buffer.alloc(50_000_000, 'a'));

export const bodyRows: Row[] = [
  gigabyte('sends 1 GB with its length', { 'content-length': String(2 ** 30) }),
  gigabyte('sends 1 GB without a length', {}),
  {
    ...answers(
      'sends a gzip bomb',
      (_request, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb),
      delivered(200),
    ),
    also({ delivery: { responseSnippet } }) {
      // The first bytes of gzip (RFC 1952) unchanged; bytes that are not UTF-8 become the replacement character.
      expect(responseSnippet!.startsWith('\u001f\uFFFD\b')).toBe(true);
      expect(responseSnippet!.length).toBeLessThanOrEqual(kept);
    },
  },
  says('answers with NUL', 'a\0b\0', 'ab'),
  says(
    'answers with a character that ends with the snippet',
    `${'a'.repeat(2046)}éb`,
    `${'a'.repeat(2046)}é`,
  ),
  says('answers with a two-byte character on the cut', `${'a'.repeat(2047)}é`, 'a'.repeat(2047)),
  says('answers with a three-byte character on the cut', `${'a'.repeat(2046)}€`, 'a'.repeat(2046)),
  says('answers with a four-byte character on the cut', `${'a'.repeat(2045)}😀`, 'a'.repeat(2045)),
  answers(
    'resets the connection in the middle of a 200',
    (_request, response) => {
      response.writeHead(200, { 'content-length': '100' }).write('half');
      setTimeout(() => response.socket?.resetAndDestroy(), 100);
    },
    delivered(200, { responseSnippet: 'half' }),
  ),
  answers(
    'resets the connection in the middle of a 500',
    (_request, response) => {
      response.writeHead(500, { 'content-length': '100' }).write('half');
      setTimeout(() => response.socket?.resetAndDestroy(), 100);
    },
    refused(500, { responseSnippet: 'half' }),
  ),
  {
    name: 'answers 200 with chunks that cannot be read',
    start: () =>
      startTcpReceiver((socket) =>
        socket.write('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n2\r\nok\r\nzz\r\n'),
      ),
    expected: delivered(200, { responseSnippet: 'ok' }),
  },
];
