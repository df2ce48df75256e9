import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from 'vitest';
import { createServerClock } from '../page/server-clock.ts';
import { createRoomClient } from './room-client.ts';

/** A client of a server that answers each call like this. */
async function createClient(status: number, body: string) {
  const server = createServer((_request, response) => void response.writeHead(status).end(body)).listen(0);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    client: createRoomClient(`http://127.0.0.1:${port}/room/ada`, createServerClock()),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

const beat = {
  visitId: 'visit',
  seq: 1,
  playheadSeconds: 10,
  intervals: [],
  state: 'playing' as const,
  visible: true,
};

test('a page of a Wi-Fi network that answers for the service is no answer, so the heartbeat is sent again', async () => {
  await using given = await createClient(200, '<html>Sign in</html>');
  expect(await given.client.beat(beat)).toMatchObject({ type: 'unreachable' });
});

test('a room enters with the answer that came while its scripts were loaded, and later again by itself', async () => {
  await using given = await createClient(200, '{"visitId":"later","serverNow":"2026-11-26T08:00:00.000Z"}');
  const body = '{"visitId":"early","serverNow":"2026-11-26T08:00:00.000Z"}';
  globalThis.earlyVisit = Promise.resolve({ response: new Response(), body, sentMs: 0, answeredMs: 1 });
  expect(await given.client.enter()).toMatchObject({ visitId: 'early' });
  expect(await given.client.enter()).toMatchObject({ visitId: 'later' });
  globalThis.earlyVisit = Promise.reject(new TypeError('Failed to fetch'));
  await expect(given.client.enter()).rejects.toMatchObject({ code: 'network', isPassing: true });
});

test('a view is reported by an answer without a body', async () => {
  await using given = await createClient(204, '');
  await expect(given.client.view('offer')).resolves.toBeUndefined();
});
