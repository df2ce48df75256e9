// Receivers that take the whole deadline of an attempt. They begin to count when they are called.
import type { RequestListener } from 'node:http';
import { expect } from 'vitest';
import { eventually } from '../../support/eventually.ts';
import { startReceiver } from '../../support/receiver.ts';
import { delivered, failed, type Delivery, type Row } from './row.ts';
import { startTcpReceiver } from './sockets.ts';

/** The default deadline of the service. */
export const deadlineMs = 10_000;

/** Timers may end a little early. */
const expectDuration = ({ attemptLog }: Delivery, leastMs: number): void =>
  expect(attemptLog[0]!.durationMs).toBeGreaterThanOrEqual(leastMs - 5);

/** Answers this long after the call. If that is too late, the connection is closed before. */
const answersAfter = (waitMs: number): RequestListener => {
  return (_request, response) => void setTimeout(() => response.end('at last'), waitMs);
};

function late(name: string, answer: RequestListener): Row {
  let isClosed = false;
  return {
    name,
    start: () =>
      startReceiver((request, response) => {
        request.socket.on('close', () => (isClosed = true));
        answer(request, response);
      }),
    expected: failed('timeout'),
    async also({ delivery }) {
      expectDuration(delivery, deadlineMs);
      expect(delivery.attemptLog[0]!.timings.firstByteMs).toBeNull();
      await eventually('the connection to be closed', () => isClosed);
    },
  };
}

const drip = (write: (text: string) => void): NodeJS.Timeout => setInterval(write, 1000, '.');

/** Answers at once, and then a byte a second without an end. */
function dripsBody(): Row {
  let written = '';
  let isClosed = false;
  return {
    name: 'drips the body of a 200, a byte a second',
    start: () =>
      startReceiver((_request, response) => {
        response.writeHead(200).flushHeaders();
        const dripping = drip((text) => {
          response.write(text);
          written += text;
        });
        response.on('close', () => {
          clearInterval(dripping);
          isClosed = true;
        });
      }),
    expected: delivered(200),
    async also({ delivery }) {
      expectDuration(delivery, deadlineMs);
      await eventually('the connection to be cut', () => isClosed);
      // All bytes except those in transit at that time.
      expect(delivery.responseSnippet).toMatch(/^\.+$/);
      expect(delivery.responseSnippet!.length).toBeGreaterThanOrEqual(written.length - 1);
    },
  };
}

const dripsHeaders = (): Row => ({
  name: 'drips its headers, a byte a second',
  start: () =>
    startTcpReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
      const dripping = drip((text) => void socket.write(text));
      socket.on('close', () => clearInterval(dripping));
    }),
  expected: failed('timeout'),
  also({ delivery }) {
    expectDuration(delivery, deadlineMs);
  },
});

export const deadlineRows: Row[] = [
  {
    name: 'answers 9.9 s after it was called',
    start: () => startReceiver(answersAfter(deadlineMs - 100)),
    expected: delivered(200, { responseSnippet: 'at last' }),
    also({ delivery }) {
      expectDuration(delivery, deadlineMs - 100);
    },
  },
  late('answers 10.1 s after it was called', answersAfter(deadlineMs + 100)),
  late('accepts and never answers', () => undefined),
  late('says 103 and never answers', (_request, response) =>
    response.writeEarlyHints({ link: '</style.css>; rel=preload' }),
  ),
  dripsBody(),
  dripsHeaders(),
];
