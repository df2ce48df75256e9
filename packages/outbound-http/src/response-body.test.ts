import { setImmediate as nextTurn } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { expect, test } from 'vitest';
import { bytesToSnippet } from './send-request.ts';
import { startReceiver, startTcpServer } from './testing/receiver.ts';
import { createSender } from './testing/test-sender.ts';

test('a connection that breaks after the headers still gives the status', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'content-length': '100' }).write('half');
    setTimeout(() => response.socket?.resetAndDestroy(), 50);
  });
  const outcome = await createSender()(receiver.url);
  expect(outcome).toMatchObject({ kind: 'response', statusCode: 200, snippet: 'half', truncated: true });
});

test('only the beginning of an endless body is read', async () => {
  let closed = false;
  const receiver = await startReceiver((response) => {
    const more = (): void => {
      for (let room = true; room && !response.destroyed;) room = response.write('x'.repeat(65_536));
    };
    response.on('drain', more).on('close', () => (closed = true));
    more();
  });
  const outcome = await createSender()(receiver.url);
  expect(outcome).toMatchObject({ kind: 'response', snippet: 'x'.repeat(2048), truncated: true });
  await expect.poll(() => closed).toBe(true);
});

test('a body slightly longer than its snippet is read to its end, which keeps the connection', async () => {
  const receiver = await startReceiver((response) => response.end('y'.repeat(5000)));
  const send = createSender();
  for (let count = 0; count < 3; count++) {
    expect(await send(receiver.url)).toMatchObject({ snippet: 'y'.repeat(2048), truncated: true });
    await nextTurn();
  }
  expect(receiver.connections).toBe(1);
});

test('a body with a large Content-Length is cut as soon as its snippet is complete', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'content-length': '1000000' }).write('z'.repeat(3000));
  });
  // The receiver sends no more, so that waiting for the end would take the whole deadline.
  const outcome = await createSender()(receiver.url, { deadlineMs: 60_000 });
  expect(outcome).toMatchObject({ snippet: 'z'.repeat(2048), truncated: true });
});

test('a body in chunks of one byte is cut after a thousand chunks', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'transfer-encoding': 'chunked' }).flushHeaders();
    response.socket!.write('1\r\nx\r\n'.repeat(2000));
  });
  // The receiver never ends the body, so that waiting for the end would take the whole deadline.
  const outcome = await createSender()(receiver.url, { deadlineMs: 60_000, maxResponseBytes: 4_000_000 });
  expect(outcome).toMatchObject({ snippet: 'x'.repeat(1001), truncated: true });
});

test.each([
  ['a two-byte character', 'aé', 2, 'a'],
  ['a three-byte character', 'a€', 3, 'a'],
  ['a four-byte character', 'a😀', 4, 'a'],
  ['nothing, when the cut falls between characters', 'é€x', 5, 'é€'],
])('the cut of the snippet leaves out %s', async (_, body, maxResponseBytes, snippet) => {
  const receiver = await startReceiver((response) => response.end(body));
  expect(await createSender()(receiver.url, { maxResponseBytes })).toMatchObject({
    snippet,
    truncated: true,
  });
});

test('a snippet contains no character that Postgres refuses', async () => {
  const receiver = await startReceiver((response) =>
    response.end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0, 0x62])),
  );
  expect(await createSender()(receiver.url)).toMatchObject({
    snippet: 'a\uFFFD\uFFFD\uFFFD\uFFFDb',
    truncated: false,
  });
});

test('an answer of a gigabyte is read no further than what lies in the buffers of the network', async () => {
  const sent: number[] = [];
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'content-length': String(2 ** 30) });
    const { socket } = response;
    const more = (): void => {
      for (let room = true; room && !response.destroyed;) room = response.write('x'.repeat(65_536));
    };
    response.on('drain', more).on('close', () => sent.push(socket!.bytesWritten));
    more();
  });
  const send = createSender();
  const outcomes = await Promise.all(Array.from({ length: 5 }, () => send(receiver.url)));
  for (const outcome of outcomes) expect(outcome).toMatchObject({ statusCode: 200, truncated: true });
  await expect.poll(() => sent.length).toBe(outcomes.length);
  expect(Math.max(...sent)).toBeLessThan(2 ** 26);
});

test('headers without an end are no answer', async () => {
  const port = await startTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\n');
    const more = (): void => {
      for (let room = true; room && !socket.destroyed;) room = socket.write(`x: ${'y'.repeat(1000)}\r\n`);
    };
    socket.on('drain', more).on('close', () => socket.destroy());
    more();
  });
  expect(await createSender()(`http://127.0.0.1:${port}/`)).toMatchObject({
    failure: 'reset',
    message: expect.stringContaining('OVERFLOW'),
  });
});

test('an answer is not asked for compressed', async () => {
  const receiver = await startReceiver((response, { headers }) => {
    response.end(String(headers['accept-encoding']));
  });
  expect(await createSender()(receiver.url)).toMatchObject({ snippet: 'undefined' });
});

test('a compressed answer is not unpacked', async () => {
  const bomb = gzipSync(Buffer.alloc(20_000_000));
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(bomb);
  });
  const kept = await createSender()(receiver.url, { maxResponseBytes: 1_000_000 });
  expect(kept).toMatchObject({ kind: 'response', snippet: bytesToSnippet(bomb, false), truncated: false });
});
