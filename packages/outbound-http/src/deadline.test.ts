import { expect, test } from 'vitest';
import { startReceiver, startTcpServer } from './testing/receiver.ts';
import { createSender } from './testing/test-sender.ts';

test('a receiver that accepts and never answers ends at the deadline', async () => {
  const port = await startTcpServer(() => {});
  const outcome = await createSender()(`http://127.0.0.1:${port}/`, { deadlineMs: 150 });
  expect(outcome).toMatchObject({
    kind: 'failed',
    failure: 'timeout',
    message: 'No answer came within 150 ms.',
  });
});

test('a TLS handshake that never ends ends at the deadline', async () => {
  const port = await startTcpServer(() => {});
  const outcome = await createSender()(`https://127.0.0.1:${port}/`, { deadlineMs: 150 });
  expect(outcome).toMatchObject({
    failure: 'timeout',
    message: 'No connection could be made within 150 ms.',
  });
});

test('DNS that never answers ends at the deadline', async () => {
  const resolver = { resolve: () => new Promise<string[]>(() => {}) };
  const outcome = await createSender({ resolver })('http://slow.example/', { deadlineMs: 150 });
  expect(outcome).toMatchObject({ kind: 'failed', failure: 'timeout' });
});

test.each([1, 2])(
  'a request in the queue of %i busy connections ends at its deadline and is not sent later',
  async (n) => {
    const answers: (() => void)[] = [];
    const receiver = await startReceiver((response) => answers.push(() => response.end('late')));
    const send = createSender({ connections: n });
    const busy = Array.from({ length: n }, () => send(`${receiver.url}/busy`));
    await expect.poll(() => answers.length).toBe(n);
    expect(await send(`${receiver.url}/queued`, { deadlineMs: 150 })).toMatchObject({ failure: 'timeout' });

    for (const answer of answers) answer();
    expect(await Promise.all(busy)).toMatchObject(Array.from({ length: n }, () => ({ snippet: 'late' })));
    const next = send(`${receiver.url}/next`);
    await expect.poll(() => answers.length).toBe(n + 1);
    answers[n]!();
    expect(await next).toMatchObject({ statusCode: 200 });
    // The dropped request neither reached the receiver nor cost a connection.
    expect(receiver.requests.map((request) => request.path)).not.toContain('/queued');
    expect(receiver.connections).toBe(n);
  },
);

test('a body that drips past the deadline still gives the status and what came', async () => {
  const receiver = await startReceiver((response) => {
    response.writeHead(200);
    const timer = setInterval(() => response.write('.'), 20);
    response.on('close', () => clearInterval(timer));
  });
  const outcome = await createSender()(receiver.url, { deadlineMs: 1000 });
  expect(outcome).toMatchObject({ kind: 'response', statusCode: 200, truncated: true });
  expect(outcome).toHaveProperty('snippet', expect.stringMatching(/^\.+$/));
});

test('headers that drip past the deadline are no answer', async () => {
  const port = await startTcpServer((socket) => {
    socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
    const timer = setInterval(() => socket.write('.'), 20);
    socket.on('close', () => clearInterval(timer));
  });
  expect(await createSender()(`http://127.0.0.1:${port}/`, { deadlineMs: 300 })).toMatchObject({
    failure: 'timeout',
    timings: { firstByteMs: null },
  });
});

test('a connection that cannot be made in its own time is a connect failure', async () => {
  const resolver = { resolve: () => new Promise<string[]>(() => {}) };
  const send = createSender({ resolver, connectTimeoutMs: 100 });
  expect(await send('http://slow.example/', { deadlineMs: 5000 })).toMatchObject({ failure: 'connect' });
});

test('a caller who aborts gets his reason, and the receiver sees the connection close', async () => {
  let closed = false;
  const receiver = await startReceiver((response) => response.on('close', () => (closed = true)));
  const send = createSender();
  const caller = new AbortController();
  const outcome = send(receiver.url, { signal: caller.signal });
  await expect.poll(() => receiver.requests.length).toBe(1);
  caller.abort(new Error('shutting down'));
  await expect(outcome).rejects.toThrow('shutting down');
  await expect.poll(() => closed).toBe(true);
  await expect(send(receiver.url, { signal: caller.signal })).rejects.toThrow('shutting down');
  expect(receiver.requests).toHaveLength(1);
});

test('an answer just before the deadline counts', async () => {
  const receiver = await startReceiver((response) => {
    setTimeout(() => response.end('just in time'), 100);
  });
  expect(await createSender()(receiver.url, { deadlineMs: 1000 })).toMatchObject({ snippet: 'just in time' });
});
