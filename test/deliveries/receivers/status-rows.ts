import type { RequestListener } from 'node:http';
import { expect } from 'vitest';
import { startReceiver } from '../../support/receiver.ts';
import { delivered, putOff, refused, type Expected, type Row } from './row.ts';
import { startTcpReceiver } from './sockets.ts';

const answers = (name: string, answer: RequestListener, expected: Expected): Row => ({
  name,
  start: () => startReceiver(answer),
  expected,
});

const status = (code: number, expected: Expected): Row =>
  answers(`answers ${code}`, (_request, response) => response.writeHead(code).end('no'), expected);

const retryAfter = (code: number, value: string, expected: Expected): Row =>
  answers(
    `answers ${code} with Retry-After: ${value}`,
    (_request, response) => response.writeHead(code, { 'retry-after': value }).end(),
    expected,
  );

/** Is called again within the test and then fails. The 429 before has spent no try. */
const comesBack = (value: string, waitMs: number): Row => ({
  name: `answers 429 with Retry-After: ${value}, then 500`,
  start() {
    const codes = [429, 500];
    return startReceiver((_request, response) =>
      response.writeHead(codes.shift()!, { 'retry-after': value }).end(),
    );
  },
  expected: refused(500, { attempts: 2, calls: 2 }),
  also({ delivery: { attemptLog }, receiver: { received } }) {
    expect(attemptLog[0]).toMatchObject({ failure: 'http_status', responseCode: 429 });
    expect(received[1]!.at - received[0]!.at).toBeGreaterThanOrEqual(waitMs);
  },
});

const speaks = (name: string, text: string, expected: Expected): Row => ({
  name,
  start: () => startTcpReceiver((socket) => socket.write(text)),
  expected,
});

export const statusRows: Row[] = [
  answers(
    'answers 204 without a body',
    (_request, response) => response.writeHead(204).end(),
    delivered(204, { responseSnippet: '' }),
  ),
  answers(
    'sends 102 and 103 before its answer',
    (_request, response) => {
      response.writeProcessing();
      response.writeEarlyHints({ link: '</style.css>; rel=preload' }, () =>
        response.writeHead(202).end('yes'),
      );
    },
    delivered(202, { responseSnippet: 'yes' }),
  ),
  status(404, refused(404, { responseSnippet: 'no' })),
  // 410 says that the receiver is gone: the endpoint is paused, and the delivery keeps its tries.
  status(410, refused(410, { health: 'paused' })),
  status(500, refused(500, { responseSnippet: 'no' })),
  status(503, refused(503)),
  speaks(
    'answers 999, which is in no class of status codes',
    'HTTP/1.1 999 Denied\r\ncontent-length: 0\r\n\r\n',
    refused(999),
  ),
  retryAfter(503, '3000', refused(503, { nextInSeconds: [3000, 3000] })),
  // Shorter than the wait of the schedule.
  retryAfter(503, '5', refused(503)),
  retryAfter(500, '3000', refused(500, { nextInSeconds: [3000, 3000] })),
  status(429, putOff()),
  retryAfter(429, '1000000000', putOff({ nextInSeconds: [3600, 3600] })),
  retryAfter(429, 'Fri, 01 Jan 2100 00:00:00 GMT', putOff({ nextInSeconds: [3600, 3600] })),
  // Not a whole number of seconds and not a date (RFC 9110 10.2.3), so it is ignored.
  retryAfter(429, '1e9', putOff()),
  retryAfter(429, '-1', putOff()),
  comesBack('5', 5000),
  // Not at once: the wait after a 429 is at least one second.
  comesBack('Thu, 01 Jan 2015 00:00:00 GMT', 1000),
];
