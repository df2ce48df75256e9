import { once } from 'node:events';
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createId } from '@service/database';
import type { RoomIdentity } from '../room/room.ts';
import type { MessageItem } from '../room/schemas.ts';
import {
  createUpdatePages,
  emptyContent,
  emptySnapshot,
  type Message,
  pageOf,
  parseCursor,
  updateSnapshot,
} from '../room/feed-snapshot.ts';
import { createEventStreams, type EventStream, openEventStream } from './event-streams.ts';

/** The identity in a path like `/account/registration`. */
const identityOf = (path: string): RoomIdentity => ({
  accountId: path.split('/')[1]!,
  webinarId: 'webinar',
  sessionId: 'session',
  registrationId: path,
  chatMode: 'public',
});

const token = { accountId: 'account', registrationId: 'registration', tokenVersion: 1 };

test('streams are limited for a process, and half of them for one account', async () => {
  const streams = createEventStreams({
    room: { identify: async () => identityOf('/acme/ada') },
    feed: { subscribe: async () => () => undefined },
    now: () => new Date(),
    streamsMax: 4,
  });
  const outcomes: string[] = [];
  const server = createServer((request, response) => {
    streams
      .open(response, { token, identity: identityOf(request.url!), since: undefined })
      .then(() => outcomes.push('open'))
      .catch(({ code }: { code: string }) => {
        outcomes.push(code);
        response.end();
      });
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const paths = ['/acme/ada', '/acme/bob', '/acme/eve', '/other/kim', '/other/lea', '/third/max'];
  for (const path of paths) {
    const [response] = await once(get({ port, path }), 'response');
    response.resume();
  }
  expect(outcomes).toEqual(['open', 'open', 'room_busy', 'open', 'open', 'room_busy']);
  streams.close();
  server.close();
  await once(server, 'close');
});

interface Exchange extends AsyncDisposable {
  stream: EventStream;
  response: ServerResponse;
  /** The client's side. It has read nothing yet. */
  received: IncomingMessage;
}

/** A stream over a real connection. */
async function exchange(): Promise<Exchange> {
  const { promise, resolve } = Promise.withResolvers<Pick<Exchange, 'stream' | 'response'>>();
  const server = createServer((_request, response) =>
    resolve({ stream: openEventStream(response), response }),
  );
  server.listen(0);
  await once(server, 'listening');
  const asking = get({ port: (server.address() as AddressInfo).port });
  const [received] = (await once(asking, 'response')) as [IncomingMessage];
  received.on('error', () => undefined);
  return {
    ...(await promise),
    received,
    async [Symbol.asyncDispose]() {
      asking.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

const listener = { accountId: 'a', webinarId: 'w', sessionId: 's', registrationId: 'bob' };

const message = (text: string): MessageItem => ({
  type: 'message',
  id: 'm',
  name: 'Ada',
  text,
  sentAt: '2026-11-21T12:00:00.000Z',
  own: false,
  role: 'attendee',
  replyTo: null,
});

test('each item is an event, the last one has the cursor, and a page without items is only a cursor', async () => {
  await using open = await exchange();
  open.stream.send({ items: [], cursor: 'first' });
  open.stream.send({ items: [message('one\ntwo'), message('three')], cursor: 'second' });
  open.stream.comment();
  open.stream.end();
  const text = (await open.received.setEncoding('utf8').toArray()).join('');
  expect(text.split('\n\n')).toEqual([
    expect.stringMatching(/^retry: [2-4]\d{3}$/),
    'id: first',
    `data: ${JSON.stringify(message('one\ntwo'))}`,
    `id: second\ndata: ${JSON.stringify(message('three'))}`,
    ':',
    '',
  ]);
});

test('a client that does not read is disconnected, and the bytes that wait for it are bounded', async () => {
  await using open = await exchange();
  const page = { items: [message('x'.repeat(200_000))], cursor: '' };
  let waitedMax = 0;
  for (let sent = 0; sent < 1000 && !open.response.destroyed; sent += 1) {
    open.stream.send(page);
    waitedMax = Math.max(waitedMax, open.response.writableLength);
    await new Promise(setImmediate);
  }
  expect(open.response.destroyed).toBe(true);
  expect(waitedMax).toBeLessThan(400_000);
});

test('a stream that ended because its client did not read continues at the last event id, without a loss', async () => {
  await using open = await exchange();
  const identity = { ...listener, chatMode: 'public' as const };
  const pages: Message[] = [];
  let snapshot = emptySnapshot;
  while (!open.response.destroyed) {
    const written = { ...message('x'.repeat(100_000)), id: createId(), registrationId: 'ada' };
    pages.push(written);
    const added = updateSnapshot(snapshot, { ...emptyContent, messages: [written] });
    snapshot = added.snapshot;
    open.stream.send(createUpdatePages(snapshot, added.update)({ identity })!);
    await new Promise(setImmediate);
  }
  let text = '';
  await (async () => {
    for await (const piece of open.received.setEncoding('utf8')) text += piece;
  })().catch(() => undefined);
  const ended = text.slice(0, text.lastIndexOf('\n\n'));
  const since = parseCursor([...ended.matchAll(/^id: (.+)$/gm)].at(-1)![1]!);
  const resumed = JSON.stringify(pageOf(snapshot, { identity, since }));
  const lost = pages.filter(({ id }) => !ended.includes(id) && !resumed.includes(id));
  expect([lost, ended.includes(pages.at(-1)!.id)]).toEqual([[], false]);
});

test('a slow client that reads is never disconnected, however much it is sent', async () => {
  await using open = await exchange();
  const lengths = open.received.setEncoding('utf8').map((piece: string) => piece.length);
  const reading = lengths.reduce((sum: number, length: number) => sum + length, 0);
  const page = { items: [message('x'.repeat(100_000))], cursor: '' };
  for (let sent = 0; sent < 100; sent += 1) {
    open.stream.send(page);
    open.stream.send(page);
    while (open.response.writableLength > 0) await new Promise(setImmediate);
  }
  open.stream.end();
  expect(await reading).toBeGreaterThan(200 * 100_000);
});

test('a client that does not read the end is disconnected at the next comment', async () => {
  await using open = await exchange();
  const page = { items: [message('x'.repeat(200_000))], cursor: '' };
  while (open.response.writableLength === 0) {
    open.stream.send(page);
    await new Promise(setImmediate);
  }
  open.stream.end();
  expect(open.response.destroyed).toBe(false);
  open.stream.comment();
  expect(open.response.destroyed).toBe(true);
});
