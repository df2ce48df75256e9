// Requests that Node refuses by itself.
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { testApi, type TestApi } from '../support/api.ts';

let service: TestApi;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());

async function send(bytes: string): Promise<string> {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  socket.on('error', () => undefined);
  socket.write(bytes);
  await new Promise((resolve) => socket.on('close', resolve));
  return answer;
}

const cases: [name: string, bytes: string, status: string, code: string][] = [
  ['is not HTTP', 'hello\r\n\r\n', '400 Bad Request', 'malformed_request'],
  ['names no host', 'GET /api/v1/me HTTP/1.1\r\n\r\n', '400 Bad Request', 'malformed_request'],
  [
    'has two lengths',
    'POST /api/v1/me HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n',
    '400 Bad Request',
    'malformed_request',
  ],
  [
    'has a NUL in a header',
    'GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Request-Id: a\0b\r\n\r\n',
    '400 Bad Request',
    'malformed_request',
  ],
  [
    'has 20 KB of headers',
    `GET /api/v1/me HTTP/1.1\r\nHost: x\r\nX-Large: ${'x'.repeat(20_000)}\r\n\r\n`,
    '431 Request Header Fields Too Large',
    'headers_too_large',
  ],
];

test.each(cases)(
  'a request that %s is refused in the one shape of errors',
  async (_name, bytes, status, code) => {
    const answer = await send(bytes);
    const [head, body] = answer.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(`HTTP/1.1 ${status}`);
    expect(head).toContain('Connection: close');
    const { code: given, message, requestId, docUrl } = JSON.parse(body);
    expect(given).toBe(code);
    expect(message).toMatch(/\.$/);
    expect(docUrl).toBe(`${service.baseUrl}/api/v1/docs/errors#${code}`);
    expect(head).toContain(`X-Request-Id: ${requestId}`);
  },
);
