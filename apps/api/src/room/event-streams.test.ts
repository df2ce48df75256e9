import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RoomIdentity } from '@service/webinars';
import { expect, test } from 'vitest';
import { createEventStreams } from './event-streams.ts';

const identity = (registrationId: string): RoomIdentity => ({
  accountId: 'account',
  webinarId: 'webinar',
  sessionId: 'session',
  registrationId,
  chatMode: 'public',
});

const token = { accountId: 'account', registrationId: 'registration', tokenVersion: 1 };

test('a process holds so many streams and no more, whoever listens', async () => {
  const streams = createEventStreams({
    room: { identify: async () => identity('anybody') },
    feed: { subscribe: async () => () => undefined },
    now: () => new Date(),
    streamsMax: 2,
  });
  const outcomes: string[] = [];
  const server = createServer((request, response) => {
    streams
      .open(response, { token, identity: identity(request.url!), since: undefined })
      .then(() => outcomes.push('open'))
      .catch(({ code }: { code: string }) => {
        outcomes.push(code);
        response.end();
      });
  }).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  for (const path of ['/ada', '/bob', '/eve']) {
    const [response] = await once(get({ port, path }), 'response');
    response.resume();
  }
  expect(outcomes).toEqual(['open', 'open', 'room_busy']);
  streams.close();
  server.close();
  await once(server, 'close');
});
