// Strangers who use connections in another way than browsers do.
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';

let service: TestApi;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());

/** A connection that keeps the text of its answers. */
function open({ baseUrl }: Pick<TestApi, 'baseUrl'>): { socket: Socket; answers: () => string } {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  socket.on('error', () => undefined);
  let answers = '';
  socket.on('data', (chunk) => (answers += chunk));
  return { socket, answers: () => answers };
}

const requestOf = (path: string, headers = ''): string => `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;

// Other systems do not list the descriptors of a process.
test.skipIf(process.platform !== 'linux')(
  'a client that sends 200 requests for a page at once and goes away leaves nothing open',
  async () => {
    const countOpen = (): number => readdirSync('/proc/self/fd').length;
    await fetch(service.baseUrl);
    const before = countOpen();
    for (const path of ['/', '/favicon.svg', '/api/v1/docs/scalar.js']) {
      const { socket } = open(service);
      socket.write(requestOf(path).repeat(200));
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    await eventually('nothing is open', () => countOpen() <= before + 3);
  },
);

test('requests that a client sends at once are handled in their order, with their bodies', async () => {
  const world = await createTestWorld(service);
  const path = `/api/v1/webinars/${world.webinar.id}`;
  const { socket, answers } = open(service);
  const titles = ['First', 'Second', 'Third'];
  for (const [index, title] of titles.entries()) {
    const body = JSON.stringify({ title, description: 'x'.repeat(900) });
    const headers = `Authorization: Bearer ${world.key}\r\nContent-Type: application/json\r\nContent-Length: ${body.length}`;
    const expectation = index === 1 ? 'Expect: 100-continue\r\n' : '';
    socket.write(`PATCH ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n${expectation}\r\n${body}`);
  }
  socket.write(requestOf('/healthz', 'Expect: something\r\n'));
  socket.write(requestOf('/healthz', 'Connection: close\r\n'));
  await once(socket, 'close');
  const statuses = answers().match(/(?<=HTTP\/1\.1 )\d+/g);
  expect(statuses).toEqual(['200', '100', '200', '200', '417', '200']);
  expect(answers().match(/(?<="title":")\w+/g)).toEqual(titles);
});

test('the last answer of a connection that has had all its requests says that it closes', async () => {
  await using strict = await testApi({
    shared: service.db,
    options: { connectionLimits: { requestsMax: 3 } },
  });
  for (const [baseUrl, sent, answered] of [
    [service.baseUrl, 500, 11],
    [strict.baseUrl, 5, 3],
  ] as const) {
    const { socket, answers } = open({ baseUrl });
    socket.write(requestOf('/healthz').repeat(sent));
    await once(socket, 'close');
    const heads = answers().split('HTTP/1.1 200 OK').slice(1);
    expect(heads).toHaveLength(answered);
    expect(heads.map((head) => head.includes('Connection: close'))).toEqual([
      ...Array(answered - 1).fill(false),
      true,
    ]);
  }
  // A client that waits for each answer opens another connection by itself.
  for (let count = 0; count < 7; count += 1)
    expect((await fetch(`${strict.baseUrl}/healthz`)).status).toBe(200);
});

test('an address and a process have a limit of connections, and a trusted proxy only that of the process', async () => {
  const connectionLimits = { addressConnectionsMax: 3, connectionsMax: 5 };
  await using service2 = await testApi({ shared: service.db, options: { connectionLimits } });
  await using proxied = await testApi({
    shared: service.db,
    options: { connectionLimits, trustedProxies: ['127.0.0.1'] },
  });
  for (const [api, allowed] of [
    [service2, 3],
    [proxied, 5],
  ] as const) {
    const opened = Array.from({ length: allowed }, () => open(api));
    for (const { socket, answers } of opened) {
      socket.write(requestOf('/healthz'));
      await eventually('an answer', () => answers().includes('200 OK'));
    }
    const further = open(api);
    further.socket.write(requestOf('/healthz'));
    await once(further.socket, 'close');
    expect(further.answers()).toBe('');
    opened[0]!.socket.destroy();
    await eventually('a place is free', async () => {
      const again = open(api);
      again.socket.write(requestOf('/metrics', 'Host: localhost\r\nConnection: close\r\n'));
      await once(again.socket, 'close');
      return again.answers();
    });
    for (const { socket } of opened) socket.destroy();
  }
});

test.skipIf(process.platform !== 'linux')(
  'a process whose descriptors are nearly used up is not ready, and ends when it stays so',
  async () => {
    await using used = await testApi({
      shared: service.db,
      options: { descriptorWatch: { limit: 10, checkEveryMs: 20, endAfterMs: 200 } },
    });
    await eventually('it is not ready', async () => {
      const answer = await fetch(`${used.baseUrl}/readyz`);
      return answer.status === 503 && (await answer.text()).includes('descriptors nearly used up');
    });
    await used.api.ended;
  },
);

test('the service disconnects a client that does not read its answers, and answers others meanwhile', async () => {
  const connectionLimits = { stalledMaxMs: 300, checkEveryMs: 50 };
  await using api = await testApi({ shared: service.db, options: { connectionLimits } });
  const { socket } = open(api);
  socket.pause();
  socket.write(requestOf('/api/v1/docs/scalar.js').repeat(5));
  await eventually('its connection is ended', async () => {
    const metrics = await (await fetch(`${api.baseUrl}/metrics`)).text();
    return metrics.includes('http_connections_ended_total{reason="stalled"} 1');
  });
  socket.destroy();
});
