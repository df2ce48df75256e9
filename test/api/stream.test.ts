// The stream of changes that open pages of the dashboard read.
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestMember,
  createTestWorld,
  testApi,
} from '../support/api.ts';
import { openDashboard } from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';
import { countWaiting, lockRows } from '../support/lock-rows.ts';
import { signInMember } from '../support/member.ts';
import { startReceiver } from '../support/receiver.ts';
import { openStream, type TestStream } from '../support/stream.ts';
import { testWorker } from '../support/worker.ts';
import { createWorld } from '../support/world.ts';

const signOut = (baseUrl: string, cookie: string) =>
  fetch(`${baseUrl}/api/auth/sign-out`, {
    method: 'POST',
    headers: { cookie, 'Content-Type': 'application/json', Origin: baseUrl },
    body: '{}',
  });

/** Resolves after the first message. */
async function openedStream(...given: Parameters<typeof openStream>): Promise<TestStream> {
  const stream = await openStream(...given);
  await eventually('the stream is open', () => stream.messages.length > 0);
  return stream;
}

test('a write of a key reaches the members of its account in every process, and no other account', async () => {
  await using service = await testApi();
  await using second = await testApi({ shared: service.db });
  const world = await createTestWorld(service);
  const neighbour = await createTestAccount(service);
  const member = await signInMember(service, world);
  const stranger = await signInMember(service, neighbour);
  await using near = await openedStream(service, { ...world, ...member });
  await using far = await openedStream(second, { ...world, ...member });
  await using other = await openedStream(second, { ...neighbour, ...stranger });
  const seen = [near.messages.length, far.messages.length];

  const { id } = world.webinar;
  // Pages have the id in lower case, however the caller writes it.
  await callRest(service, `PATCH /webinars/${id.toUpperCase()}`, { key: world.key, body: { title: 'New' } });
  expect(await near.untilChanged('webinars', seen[0])).toEqual([id]);
  expect(await far.untilChanged('webinars', seen[1])).toEqual([id]);
  // Activity is announced later than the write, so by then a message for the neighbour would be there.
  await far.untilChanged('activity', seen[1]);
  expect(other.messages.filter(({ changed }) => changed !== 'everything' && changed?.webinars)).toEqual([]);
});

test('events of an attendee, the progress of the watch time and the result of a delivery are announced', async () => {
  await using world = await createWorld();
  const answer = Promise.withResolvers<void>();
  await using receiver = await startReceiver((_request, response) => {
    void answer.promise.then(() => response.writeHead(200).end());
  });
  await using _worker = await testWorker(world.service.db.url);
  await world.rule(receiver.url);
  const member = await signInMember(world.service, world);
  await using stream = await openedStream(world.service, { ...world, ...member });

  const before = stream.messages.length;
  const attendee = await world.attend();
  expect(await stream.untilChanged('executions', before)).toBeDefined();
  await eventually('the webhook', () => receiver.received.length > 0);
  // Later than the announcement of the queued delivery.
  await delay(1000);
  const beforeResult = stream.messages.length;
  answer.resolve();
  expect(await stream.untilChanged('deliveries', beforeResult)).toBeDefined();

  world.startSession();
  const beforeVisit = stream.messages.length;
  await attendee.visit();
  expect(await stream.untilChanged('registrations', beforeVisit)).toEqual([world.webinar.id]);
  world.clock.advance(20);
  const beforeBeat = stream.messages.length;
  await attendee.beat();
  expect(await stream.untilChanged('registrations', beforeBeat)).toEqual([world.webinar.id]);
});

test('a stream ends when its member signs out or is removed from the workspace, and others go on', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const person = await createTestMember(service, owner.accountId);
  const [leaving, removed, staying] = [
    await signInMember(service, owner),
    await signInMember(service, person),
    await signInMember(service, owner),
  ];
  await using first = await openStream(service, { ...owner, ...leaving });
  await using second = await openStream(service, { ...owner, ...removed });
  await using third = await openStream(service, { ...owner, ...staying });
  await signOut(service.baseUrl, leaving.cookie);
  expect(await first.untilEnded()).toBe('access');
  await eventually('the connection is closed', first.isClosed);

  await service.db.database.pool.query('delete from accounts.member where "userId" = $1', [person.userId]);
  expect(await second.untilEnded()).toBe('access');
  expect(third.messages.some(({ ended }) => ended)).toBe(false);
  expect(third.isClosed()).toBe(false);
});

test('a stream of no member is refused: no session, a foreign workspace, an API key', async () => {
  await using service = await testApi();
  const [own, foreign] = [await createTestAccount(service), await createTestAccount(service)];
  const { key } = await createTestKey(service, own.accountId);
  const { cookie } = await signInMember(service, own);
  await using anonymous = await openStream(service, { ...own, cookie: '' });
  await using stranger = await openStream(service, { ...foreign, cookie });
  const withKey = { ...own, cookie: '', headers: { Authorization: `Bearer ${key}` } };
  await using client = await openStream(service, withKey);
  for (const stream of [anonymous, stranger, client]) {
    expect(await eventually('a refusal', stream.refusal)).toBe('sign_in_required');
    await eventually('the connection is closed', stream.isClosed);
    expect(stream.messages).toEqual([]);
  }
});

test('with an eleventh stream the oldest one of the member ends, and those of other accounts stay', async () => {
  await using service = await testApi();
  const [greedy, calm] = [await createTestAccount(service), await createTestAccount(service)];
  const member = await signInMember(service, greedy);
  await using neighbour = await openStream(service, { ...calm, ...(await signInMember(service, calm)) });
  await using opened = new AsyncDisposableStack();
  const streams: TestStream[] = [];
  for (let count = 0; count < 11; count += 1) {
    streams.push(opened.use(await openedStream(service, { ...greedy, ...member })));
  }
  expect(await streams[0]!.untilEnded()).toBe('replaced');
  await eventually('the connection is closed', streams[0]!.isClosed);
  expect(streams.slice(1).filter(({ isClosed }) => isClosed())).toEqual([]);
  expect(neighbour.isClosed()).toBe(false);
});

test('an account that opens streams in a loop uses up its own calls only', async () => {
  const callLimit = { perSession: 5, perAccount: 100, windowSeconds: 3600 };
  await using service = await testApi({ callLimit });
  const [greedy, calm] = [await createTestAccount(service), await createTestAccount(service)];
  const member = await signInMember(service, greedy);
  await using opened = new AsyncDisposableStack();
  const refusals: (string | undefined)[] = [];
  for (let count = 0; count < 7; count += 1) {
    const stream = opened.use(await openStream(service, { ...greedy, ...member }));
    await eventually('an answer', () => stream.messages.length > 0 || stream.refusal() !== undefined);
    refusals.push(stream.refusal());
  }
  expect(refusals).toEqual([...Array(5).fill(undefined), 'too_many_calls', 'too_many_calls']);
  await using _neighbour = await openedStream(service, { ...calm, ...(await signInMember(service, calm)) });
});

test('streams that open together take turns, and leave connections to the calls of others', async () => {
  await using service = await testApi();
  const [busy, calm] = [await createTestAccount(service), await createTestAccount(service)];
  const sessions = [await signInMember(service, busy), await signInMember(service, busy)];
  const neighbour = await openDashboard(service, calm);
  const { pool } = service.db.database;
  await using opened = new AsyncDisposableStack();
  const open = ({ cookie }: { cookie: string }) => openStream(service, { ...busy, cookie });
  for (const session of sessions) opened.use(await open(session));
  const window = 'select from accounts.account_window where account_id = $1 for update';
  await using locked = await lockRows(pool, window, [busy.accountId]);
  // All connections of the pool would not be enough for them.
  const opening = Array.from({ length: 8 }, (_, index) => open(sessions[index % 2]!));
  await eventually('streams wait', async () => (await countWaiting(pool)) >= 2);
  expect(await neighbour.query('accounts.workspace.get')).toMatchObject({ id: calm.accountId });
  expect(await countWaiting(pool)).toBe(2);
  await locked.release();
  const streams = (await Promise.all(opening)).map((stream) => opened.use(stream));
  await eventually('all are open', () => streams.every(({ messages }) => messages.length > 0));
});

test('a stopping process ends its streams, and a page that connects again gets the topics that changed meanwhile', async () => {
  await using service = await testApi();
  const second = await testApi({ shared: service.db });
  const world = await createTestWorld(service);
  const identity = { ...world, ...(await signInMember(service, world)) };
  await using stopped = await openedStream(second, identity);
  await second[Symbol.asyncDispose]();
  expect(await stopped.untilEnded()).toBe('restart');

  // A process knows the changes since its start.
  const lastEventId = await eventually('a known time', async () => {
    const time = String(Date.now());
    await using stream = await openStream(service, { ...identity, lastEventId: time });
    const { changed } = await eventually('a message', () => stream.messages[0]);
    return changed !== 'everything' && time;
  });
  await using probe = await openStream(service, identity);
  await callRest(service, `POST /webinars/${world.webinar.id}/unpublish`, { key: world.key });
  await probe.untilChanged('webinars');
  await using again = await openStream(service, { ...identity, lastEventId });
  expect(await again.untilChanged('webinars')).toEqual([]);
  await using fresh = await openStream(service, { ...identity, lastEventId: String(Date.now() + 60_000) });
  expect(await eventually('a message', () => fresh.messages[0])).toMatchObject({ changed: {} });
});

test('after a loss of the listening connection every stream is asked to read everything again', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const member = await signInMember(service, owner);
  await using stream = await openedStream(service, { ...owner, ...member });
  const { length: before } = stream.messages;
  const { pool } = service.db.database;
  await pool.query(
    `select pg_terminate_backend(pid) from pg_stat_activity
     where datname = current_database() and application_name = 'api' and state = 'idle'`,
  );
  await eventually('everything is announced', () =>
    stream.messages.slice(before).some(({ changed }) => changed === 'everything'),
  );
});

test('a stream is not compressed, so no change waits in a buffer', async () => {
  await using service = await testApi();
  const owner = await createTestAccount(service);
  const member = await signInMember(service, owner);
  await using stream = await openStream(service, {
    ...owner,
    ...member,
    headers: { 'Accept-Encoding': 'br, gzip' },
  });
  await eventually('a message', () => stream.messages[0]);
  expect(stream.headers.get('content-encoding')).toBeNull();
  expect(stream.headers.get('content-type')).toBe('text/event-stream');
});
