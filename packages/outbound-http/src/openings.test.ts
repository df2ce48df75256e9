// The steps of a new connection belong to the request for which it was opened. The receiver knows the first request of each
// connection.
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { type Answer, startReceiver } from './testing/receiver.ts';
import { createSender, type Send } from './testing/test-sender.ts';

/** Answers whether a request was the first of its connection, and closes every fifth connection after its answer. */
function createCounter(): Answer {
  const seen = new WeakSet<Socket>();
  let answers = 0;
  return (response) => {
    const socket = response.socket!;
    const isFirst = !seen.has(socket);
    seen.add(socket);
    if (++answers % 5 === 0) response.setHeader('connection', 'close');
    setTimeout(() => response.end(isFirst ? 'first' : 'later'), answers % 7);
  };
}

/** Each name has another time, so that the figures of two connections differ. */
const dnsMsByHost = new Map([
  ['a.example', 0],
  ['b.example', 40],
  ['c.example', 120],
]);
const resolver = {
  async resolve(host: string): Promise<string[]> {
    await sleep(dnsMsByHost.get(host));
    return ['127.0.0.1'];
  },
};

async function sendAndJudge(send: Send, url: string, dnsMs: number): Promise<string> {
  const outcome = await send(url, { deadlineMs: 60_000 });
  if (outcome.kind === 'failed') throw new Error(outcome.message);
  const { timings, snippet, durationMs } = outcome;
  if (snippet === 'later') expect(timings).toMatchObject({ dnsMs: null, connectMs: null, tlsMs: null });
  else {
    expect(timings.dnsMs).toBeGreaterThanOrEqual(dnsMs - 2);
    expect(timings.connectMs).not.toBeNull();
    // Each of the three was rounded by itself.
    expect(timings.dnsMs! + timings.connectMs!).toBeLessThanOrEqual(timings.firstByteMs! + 2);
  }
  expect(timings.firstByteMs).toBeLessThanOrEqual(durationMs);
  return snippet;
}

test.each([
  ['as many connections as requests', undefined],
  ['a queue before four connections', 4],
])('with %s the steps belong to the first request of a connection and no other', async (_, connections) => {
  const receiver = await startReceiver(createCounter());
  const send = createSender({ resolver, ...(connections === undefined ? {} : { connections }) });
  const lane = async (host: string, dnsMs: number): Promise<string[]> => {
    const snippets: string[] = [];
    for (let count = 0; count < 20; count++) {
      snippets.push(await sendAndJudge(send, `http://${host}:${receiver.port}/`, dnsMs));
      if (count % 3 === 0) await sleep(count % 4);
    }
    return snippets;
  };
  const lanes = [...dnsMsByHost].flatMap(([host, dnsMs]) =>
    Array.from({ length: 8 }, () => lane(host, dnsMs)),
  );
  const snippets = (await Promise.all(lanes)).flat();
  expect(snippets.filter((snippet) => snippet === 'first')).toHaveLength(receiver.connections);
  expect(snippets.filter((snippet) => snippet === 'later').length).toBeGreaterThan(100);
  expect(receiver.connections).toBeGreaterThan(50);
});

test('a connection whose request gave up is open already for the next one', async () => {
  const receiver = await startReceiver(createCounter());
  const send = createSender({ resolver, connections: 1 });
  const url = `http://c.example:${receiver.port}/`;
  expect(await send(url, { deadlineMs: 20 })).toMatchObject({ failure: 'timeout' });
  await expect.poll(() => receiver.connections).toBe(1);
  await sleep(20);
  expect(await send(url)).toMatchObject({ snippet: 'first', timings: { dnsMs: null, connectMs: null } });
  expect(receiver.connections).toBe(1);
});

test('a request that takes over the connection of one that gave up counts only its own waiting', async () => {
  const receiver = await startReceiver(createCounter());
  const send = createSender({ resolver, connections: 1 });
  const url = `http://c.example:${receiver.port}/`;
  const gaveUp = send(url, { deadlineMs: 100 });
  await sleep(60);
  const queued = send(url, { deadlineMs: 20 });
  const outcome = await send(url);
  expect(await queued).toMatchObject({ failure: 'timeout', timings: { dnsMs: null, connectMs: null } });
  expect(await gaveUp).toMatchObject({ failure: 'timeout' });
  expect(outcome).toMatchObject({ snippet: 'first', timings: { connectMs: expect.any(Number) } });
  expect(outcome.timings.dnsMs).toBeLessThanOrEqual(outcome.timings.firstByteMs! + 1);
  expect(receiver.connections).toBe(1);
});
