// Connections that the receiver closes while they are idle.
import type { Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { startReceiver, startTcpServer } from './testing/receiver.ts';
import { createSender } from './testing/test-sender.ts';

const ANSWER = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';

/** A server that answers the first request of each connection and closes it. Records the bodies. */
async function startFickleServer(answerAndClose: (socket: Socket) => void) {
  const bodies: string[] = [];
  const port = await startTcpServer((socket) => {
    socket.on('data', (request) => bodies.push(request.toString().split('\r\n\r\n')[1]!));
    socket.once('data', () => answerAndClose(socket));
  });
  return { url: `http://127.0.0.1:${port}/`, bodies };
}

test.each<[string, (socket: Socket) => void]>([
  ['ends it together with the answer', (socket) => socket.end(ANSWER)],
  ['ends it in the next turn', (socket) => void socket.write(ANSWER, () => setImmediate(() => socket.end()))],
  ['ends it a moment later', (socket) => void socket.write(ANSWER, () => setTimeout(() => socket.end(), 2))],
  [
    'resets it a moment later',
    (socket) => void socket.write(ANSWER, () => setTimeout(() => socket.resetAndDestroy(), 2)),
  ],
])(
  'a receiver that %s gets the next request on a new connection, or it is reset',
  async (_, answerAndClose) => {
    const server = await startFickleServer(answerAndClose);
    const send = createSender();
    const answered: string[] = [];
    for (let count = 0; count < 40; count++) {
      const body = `request ${count}`;
      const outcome = await send(server.url, { body, deadlineMs: 60_000 });
      if (outcome.kind === 'response') {
        expect(outcome).toMatchObject({ snippet: 'ok', timings: { connectMs: expect.any(Number) } });
        answered.push(body);
      } else expect(outcome.failure).toBe('reset');
      for (let turns = count % 4; turns > 0; turns--) await nextTurn();
      if (count % 5 === 0) await sleep(4);
    }
    // An answered request arrived once, a reset one at most once.
    expect(new Set(server.bodies).size).toBe(server.bodies.length);
    expect(server.bodies).toEqual(expect.arrayContaining(answered));
    expect(answered.length).toBeGreaterThan(0);
  },
);

test('a request whose connection breaks after it was received is not sent again', async () => {
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/breaks') response.socket!.destroy();
    else response.end();
  });
  const send = createSender();
  expect(await send(`${receiver.url}/fine`)).toMatchObject({ statusCode: 200 });
  await nextTurn();
  expect(await send(`${receiver.url}/breaks`)).toMatchObject({ kind: 'failed', failure: 'reset' });
  expect(receiver.requests.map(({ path }) => path)).toEqual(['/fine', '/breaks']);
  // Both used one connection: the second one was not new.
  expect(receiver.connections).toBe(1);
});

test.each<[string, number, (socket: Socket) => void]>([
  ['ended', 1, (socket) => socket.end()],
  ['ended', 10, (socket) => socket.end()],
  ['reset', 1, (socket) => socket.resetAndDestroy()],
  ['reset', 10, (socket) => socket.resetAndDestroy()],
])('idle connections that are %s are replaced without a failure: %i at once', async (_, count, close) => {
  const sockets = new Set<Socket>();
  const answers: (() => void)[] = [];
  const receiver = await startReceiver((response) => {
    sockets.add(response.socket!);
    answers.push(() => response.end());
    if (answers.length >= count) for (const answer of answers) answer();
  });
  const send = createSender();
  const sendAll = (): Promise<unknown[]> =>
    Promise.all(Array.from({ length: count }, () => send(receiver.url, { deadlineMs: 60_000 })));
  await sendAll();
  expect(receiver.connections).toBe(count);
  await nextTurn();
  for (const socket of sockets) close(socket);
  // In the same turn, so that the requests wait for these connections when their end is noticed.
  const outcomes = await sendAll();
  const isNew = { statusCode: 200, timings: { connectMs: expect.any(Number) } };
  expect(outcomes).toMatchObject(Array.from({ length: count }, () => isNew));
  expect(receiver.requests).toHaveLength(2 * count);
  expect(receiver.connections).toBe(2 * count);
});
