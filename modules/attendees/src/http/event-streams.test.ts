import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import type { RoomIdentity } from '../room/room.ts';
import { createEventStreams } from './event-streams.ts';

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
