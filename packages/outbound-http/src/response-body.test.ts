import { setImmediate as nextTurn } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startReceiver } from './testing/receiver.ts';
import { createSender } from './testing/sender.ts';

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

test('a body a little longer than what is kept is read to its end, which saves the connection', async () => {
  const receiver = await startReceiver((response) => response.end('y'.repeat(5000)));
  const send = createSender();
  for (let count = 0; count < 3; count++) {
    expect(await send(receiver.url)).toMatchObject({ snippet: 'y'.repeat(2048), truncated: true });
    await nextTurn();
  }
  expect(receiver.connections).toBe(1);
});

test('a body that is known to be long is cut as soon as enough is kept', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(200, { 'content-length': '1000000' }).write('z'.repeat(3000));
  });
  // The receiver sends no more, so that waiting for the end would take the whole deadline.
  const outcome = await createSender()(receiver.url, { deadlineMs: 60_000 });
  expect(outcome).toMatchObject({ snippet: 'z'.repeat(2048), truncated: true });
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

test('a snippet holds nothing that Postgres refuses', async () => {
  const receiver = await startReceiver((response) =>
    response.end(Buffer.from([0x61, 0, 0xff, 0xed, 0xa0, 0x80, 0, 0x62])),
  );
  expect(await createSender()(receiver.url)).toMatchObject({
    snippet: 'a\uFFFD\uFFFD\uFFFD\uFFFDb',
    truncated: false,
  });
});

test('the answer is neither asked for compressed nor unpacked', async () => {
  const receiver = await startReceiver((response, request) => {
    response.writeHead(200, { 'content-encoding': 'gzip' }).end(String(request.headers['accept-encoding']));
  });
  expect(await createSender()(receiver.url)).toMatchObject({ snippet: 'undefined' });
});
