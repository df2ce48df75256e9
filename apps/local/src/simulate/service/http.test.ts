import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClient } from '@service/client';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp, type Failure } from './http.ts';

/** A service that answers in this order. */
async function startService(...answers: ((response: ServerResponse) => void)[]) {
  const server = createServer((_request, response) => answers.shift()!(response));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createHttp(baseUrl);
  onTestFinished(async () => {
    await http.close();
    server.closeAllConnections();
    server.close();
  });
  return { baseUrl, http };
}

test('a call of the API is measured at the end of its answer', async () => {
  const { baseUrl, http } = await startService((response) => {
    response.writeHead(200, { 'content-length': '100' });
    response.write('half', () => response.destroy());
  });
  await expect(http.fetch(baseUrl)).rejects.toThrow();
  expect(http.latency('api')).toBeUndefined();
});

test('retried calls are counted by their reason', async () => {
  const busy = (response: ServerResponse): unknown => response.writeHead(503).end();
  const { baseUrl, http } = await startService(busy, busy, (response) => response.end('{"data":{}}'));
  const client = createClient({
    baseUrl,
    key: 'k',
    fetch: http.fetch,
    wait: async () => undefined,
    onRetry: ({ status, error }) => http.noteRetry('api', status === undefined ? { error } : { status }),
  });
  await client.getMe();
  const failures: Failure[] = [
    { error: new DOMException('', 'TimeoutError') },
    { error: new TypeError('', { cause: { code: 'ECONNREFUSED' } }) },
    { error: new TypeError('', { cause: { code: 'ECONNRESET' } }) },
    { status: 429, json: { code: 'room_busy' } },
  ];
  for (const failure of failures) http.noteRetry('heartbeat', failure);
  expect(Object.fromEntries(http.retries)).toEqual({
    'api 503': 2,
    'heartbeat time-out': 1,
    'heartbeat no connection': 1,
    'heartbeat no answer': 1,
    'heartbeat 429 room_busy': 1,
  });
});
