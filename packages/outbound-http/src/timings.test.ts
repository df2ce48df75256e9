import { setTimeout as sleep } from 'node:timers/promises';
import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { SendOutcome, SendTimings } from './index.ts';
import { ResolveError } from './resolver.ts';
import { certificate } from './testing/certificate.ts';
import { startReceiver, startTcpServer } from './testing/receiver.ts';
import { createSender } from './testing/test-sender.ts';

/** The minimum of a slow step. Timers may fire a millisecond early. */
const SLOW_MS = 60;
/** The deadline of an endless step. It is long enough for every step before it. */
const GIVE_UP_MS = 1000;
const slow: number = expect.toSatisfy((ms: number) => ms >= SLOW_MS - 2);
const some: number = expect.toSatisfy((ms: number) => Number.isInteger(ms) && ms >= 0);
const none = { dnsMs: null, connectMs: null, tlsMs: null, firstByteMs: null };

const resolver = {
  async resolve(host: string): Promise<string[]> {
    if (host.startsWith('slow')) await sleep(SLOW_MS);
    if (host.startsWith('none')) throw new ResolveError('no_such_name', host);
    return ['127.0.0.1'];
  },
};

const timingsOf = async (outcome: Promise<SendOutcome>): Promise<SendTimings> => (await outcome).timings;

test('each step of a new connection is timed, and a connection that is open already has no steps', async () => {
  const receiver = await startReceiver((response) => void setTimeout(() => response.end(), SLOW_MS));
  const send = createSender({ resolver });
  const url = `http://slow.example:${receiver.port}/`;
  expect(await send(url)).toMatchObject({
    durationMs: expect.toSatisfy((ms: number) => ms >= 2 * SLOW_MS - 4),
    timings: { dnsMs: slow, connectMs: some, tlsMs: null, firstByteMs: slow },
  });
  await sleep(0);
  expect(await timingsOf(send(url))).toEqual({ ...none, firstByteMs: slow });
  expect(receiver.connections).toBe(1);
});

test('an IP address needs no DNS', async () => {
  const receiver = await startReceiver((response) => response.end());
  const timings = await timingsOf(createSender()(receiver.url));
  expect(timings).toEqual({ dnsMs: null, connectMs: some, tlsMs: null, firstByteMs: some });
});

test('the TLS handshake has its own time', async () => {
  const receiver = await startReceiver((response) => response.end(), { tls: true });
  const port = await startTcpServer((socket) => {
    const onwards = connect(receiver.port, '127.0.0.1').on('error', () => socket.destroy());
    socket.on('close', () => onwards.destroy());
    setTimeout(() => socket.pipe(onwards).pipe(socket), SLOW_MS);
  });
  const send = createSender({
    resolver: { resolve: () => Promise.resolve(['127.0.0.1']) },
    ca: certificate,
  });
  const timings = await timingsOf(send(`https://receiver.test:${port}/`));
  expect(timings).toEqual({ dnsMs: some, connectMs: some, tlsMs: some, firstByteMs: slow });
  // The server may see the connection, and begin to wait, somewhat before its client does.
  expect(timings.tlsMs).toBeGreaterThan(SLOW_MS / 2);
});

test('a failed connection has the times of the steps that ended', async () => {
  const silent = await startTcpServer(() => {});
  const greets = await startTcpServer((socket) => socket.write('220 mail.example ESMTP\r\n'));
  const send = createSender({ resolver });
  const impatient = createSender({ resolver, connectTimeoutMs: GIVE_UP_MS });
  const steps = { ...none, dnsMs: slow, connectMs: some };
  const cases: [Promise<SendOutcome>, string, SendTimings][] = [
    [send('http://none.example/'), 'dns', none],
    [send('http://slow.example/', { deadlineMs: SLOW_MS / 2 }), 'timeout', none],
    [send('http://10.0.0.1/'), 'blocked_address', none],
    // Port 1 of loopback has no listener.
    [send('http://slow.example:1/'), 'connect', { ...none, dnsMs: slow }],
    [send(`https://slow.example:${silent}/`, { deadlineMs: GIVE_UP_MS }), 'timeout', steps],
    [impatient(`https://slow.example:${silent}/`, { deadlineMs: 10 * GIVE_UP_MS }), 'connect', steps],
    [send(`https://slow.example:${greets}/`), 'tls', steps],
    [send(`http://slow.example:${silent}/`, { deadlineMs: GIVE_UP_MS }), 'timeout', steps],
  ];
  for (const [outcome, failure, timings] of cases) {
    expect(await outcome).toMatchObject({ kind: 'failed', failure, timings });
  }
});

test('a URL that cannot be sent to has timings too', async () => {
  expect(await createSender()('nonsense')).toMatchObject({ failure: 'invalid_url', timings: none });
});

test('hops add up, and the first byte is that of the last answer', async () => {
  const target = await startReceiver((response) => void setTimeout(() => response.end('there'), SLOW_MS));
  const receiver = await startReceiver((response, { path }) => {
    const location = path === '/again' ? `http://slow-too.example:${target.port}/` : '/again';
    response.writeHead(307, { location }).end();
  });
  const { timings, redirects } = await createSender({ resolver })(`http://slow.example:${receiver.port}/`);
  expect(redirects).toHaveLength(2);
  expect(timings.dnsMs).toBeGreaterThanOrEqual(2 * SLOW_MS - 4);
  expect(timings).toMatchObject({ connectMs: some, tlsMs: null });
  expect(timings.firstByteMs).toBeGreaterThanOrEqual(3 * SLOW_MS - 6);
});

test('without an answer of the last hop there is no first byte', async () => {
  const receiver = await startReceiver((response, { path }) => {
    if (path === '/') response.writeHead(307, { location: '/silent' }).end();
  });
  const outcome = await createSender()(`${receiver.url}/`, { deadlineMs: 150 });
  expect(outcome).toMatchObject({ failure: 'timeout', timings: { connectMs: some, firstByteMs: null } });
});

test('early hints are not the first byte', async () => {
  const receiver = await startReceiver((response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    setTimeout(() => response.end(), SLOW_MS);
  });
  expect(await timingsOf(createSender()(receiver.url))).toMatchObject({ firstByteMs: slow });
});
