import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startTcpServer } from './testing/receiver.ts';
import { createSender } from './testing/test-sender.ts';

const ok = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
const hundred = 'HTTP/1.1 100 Continue\r\n\r\n';

/** Answers each request with these pieces, each in a packet of its own. */
const answering = (pieces: readonly string[]): Promise<number> =>
  startTcpServer((socket) => {
    socket.setNoDelay(true);
    let body = '';
    const answer = async (): Promise<void> => {
      for (const piece of pieces) {
        socket.write(piece);
        await nextTurn();
        await nextTurn();
      }
    };
    socket.on('data', (chunk) => {
      body += String(chunk);
      if (!body.endsWith('}')) return;
      body = '';
      void answer();
    });
  });

test.each([
  ['in front of the answer', [hundred + ok]],
  ['by itself', [hundred, ok]],
  ['twice', [hundred + hundred, ok]],
  ['with headers', ['HTTP/1.1 100 Continue\r\ndate: today\r\n\r\n', ok]],
  ['without a reason', ['HTTP/1.1 100\r\n\r\n', ok]],
  ['as HTTP/1.0', ['HTTP/1.0 100 Continue\r\n\r\n', ok]],
  ['byte by byte', (hundred + ok).split('')],
  ['after early hints were not sent', ['HTTP/1.1 103 Early Hints\r\n\r\n', ok]],
])('100 Continue %s is passed over, on each request of a connection', async (_how, pieces) => {
  const port = await answering(pieces);
  const send = createSender();
  for (let request = 0; request < 3; request += 1) {
    const outcome = await send(`http://127.0.0.1:${port}/`);
    expect(outcome).toMatchObject({ kind: 'response', statusCode: 200, snippet: 'ok', truncated: false });
  }
});

test('a body that looks like 100 Continue arrives', async () => {
  const body = `${hundred}${hundred}`;
  const port = await answering([`HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n`, body]);
  expect(await createSender()(`http://127.0.0.1:${port}/`)).toMatchObject({ statusCode: 200, snippet: body });
});

test('a receiver that says nothing else fails in time, and one with an endless head at once', async () => {
  const silent = await answering([hundred, hundred]);
  expect(await createSender()(`http://127.0.0.1:${silent}/`, { deadlineMs: 200 })).toMatchObject({
    kind: 'failed',
    failure: 'timeout',
  });
  const endless = await answering([`HTTP/1.1 100 Continue\r\nx: ${'x'.repeat(20_000)}`]);
  expect(await createSender()(`http://127.0.0.1:${endless}/`)).toMatchObject({
    kind: 'failed',
    failure: 'reset',
  });
  const thousand = await answering([`HTTP/1.1 1000 Odd\r\n\r\n${ok}`]);
  expect(await createSender()(`http://127.0.0.1:${thousand}/`)).toMatchObject({ failure: 'reset' });
});
