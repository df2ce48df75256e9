// Bodies of requests that are refused. Each is much longer than what a server that does not want it should take.
import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestAccount, createTestKey, testApi, type TestApi } from '../support/api.ts';

const megabyte = 1024 * 1024;
/** The Content-Length of the body. */
const announcedBytes = 1024 * megabyte;
/** Sent at most: enough to see that the server has stopped. */
const offeredBytes = 64 * megabyte;
/** The server's own limit is 4 MB; buffers of the kernel take some more on either side. */
const takenMaxBytes = 24 * megabyte;

let service: TestApi;
let limited: TestApi;
let key: string;
beforeAll(async () => {
  service = await testApi();
  limited = await testApi({ shared: service.db, rateLimit: { requests: 0, windowSeconds: 3600 } });
  const { accountId } = await createTestAccount(service);
  ({ key } = await createTestKey(service, accountId));
});
afterAll(async () => {
  await limited[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

interface Sent {
  answer: string;
  /** Bytes that left this process. */
  takenBytes: number;
}

/** Sends a head and then a body without end, until the connection is over; never looks at the answer before. */
async function pour(
  { baseUrl }: TestApi,
  head: string[],
  { chunked = false, chunkBytes = megabyte } = {},
): Promise<Sent> {
  const socket = connect(Number(new URL(baseUrl).port), '127.0.0.1');
  const closed = Promise.withResolvers<void>();
  socket.on('close', () => closed.resolve());
  socket.on('error', () => undefined);
  let answer = '';
  socket.on('data', (chunk) => (answer += chunk));
  const length = chunked ? 'Transfer-Encoding: chunked' : `Content-Length: ${announcedBytes}`;
  socket.write(`${[...head, 'Host: localhost', length].join('\r\n')}\r\n\r\n`);
  const content = ' '.repeat(chunkBytes);
  const part = chunked ? `${chunkBytes.toString(16)}\r\n${content}\r\n` : content;
  const block = Buffer.from(part.repeat(megabyte / chunkBytes));
  for (let sent = 0; sent < offeredBytes && socket.writable; sent += megabyte) {
    const hasRoom = socket.write(block);
    const drained = new Promise((resolve) => socket.once('drain', resolve));
    if (!hasRoom) await Promise.race([drained, closed.promise]);
  }
  // A server that goes on reading has taken all by now and waits for more: this is its end.
  socket.end();
  await closed.promise;
  return { answer, takenBytes: socket.bytesWritten - socket.writableLength };
}

const json = 'Content-Type: application/json';
const bulkPath = '/api/v1/webinars/x/registrations/bulk';
const bearer = () => `Authorization: Bearer ${key}`;

const refusals: [name: string, status: number, send: () => Promise<Sent>][] = [
  ['no key', 401, () => pour(service, ['POST /api/v1/webinars HTTP/1.1', json])],
  ['no key, chunked', 401, () => pour(service, ['POST /api/v1/webinars HTTP/1.1', json], { chunked: true })],
  [
    'another origin',
    403,
    () => pour(service, ['POST /trpc/keys.create HTTP/1.1', json, 'Origin: https://evil.example']),
  ],
  ['an unknown path', 404, () => pour(service, ['POST /api/v1/nowhere HTTP/1.1', json, bearer()])],
  ['a path outside of the API', 404, () => pour(service, ['POST /nowhere HTTP/1.1', json])],
  ['a method that does not fit', 405, () => pour(service, ['PUT /api/v1/webinars HTTP/1.1', json, bearer()])],
  ['a method that a room does not take', 405, () => pour(service, ['PUT /room/x/visits HTTP/1.1', json])],
  ['too large a body', 413, () => pour(service, ['POST /api/v1/webinars HTTP/1.1', json, bearer()])],
  [
    'too large a body, chunked',
    413,
    () => pour(service, ['POST /api/v1/webinars HTTP/1.1', json, bearer()], { chunked: true }),
  ],
  [
    'too large a body for a bulk call, chunked',
    413,
    () => pour(service, [`POST ${bulkPath} HTTP/1.1`, json, bearer()], { chunked: true }),
  ],
  [
    'too large a body for sign-in',
    413,
    () => pour(service, ['POST /api/auth/sign-in/email HTTP/1.1', json], { chunked: true }),
  ],
  [
    'chunks of one byte',
    400,
    () => pour(service, ['POST /api/v1/webinars HTTP/1.1', json, bearer()], { chunked: true, chunkBytes: 1 }),
  ],
  [
    'chunks of one byte, of a stranger',
    400,
    () =>
      pour(service, [`POST /api/webhooks/revenue/${randomUUID()}/generic HTTP/1.1`, json], {
        chunked: true,
        chunkBytes: 1,
      }),
  ],
  ['another media type', 415, () => pour(service, ['POST /api/v1/webinars HTTP/1.1', bearer()])],
  ['no requests left', 429, () => pour(limited, ['POST /api/v1/webinars HTTP/1.1', json, bearer()])],
];

test.each(refusals)('the body of a request with %s is not read to its end', async (_name, status, send) => {
  const { answer, takenBytes } = await send();
  const [head, body] = answer.split('\r\n\r\n') as [string, string];
  expect(head).toMatch(`HTTP/1.1 ${status}`);
  expect(head.toLowerCase()).toContain('connection: close');
  // Sign-in sends its answer in chunks, with their lengths around it.
  const sent = body.slice(body.indexOf('{'), body.lastIndexOf('}') + 1);
  expect(JSON.parse(sent)).toMatchObject({ code: expect.any(String), message: expect.any(String) });
  expect(takenBytes).toBeLessThan(takenMaxBytes);
});

test('a short body that is refused leaves the connection open for the next request', async () => {
  const socket = connect(Number(new URL(service.baseUrl).port), '127.0.0.1');
  let answers = '';
  socket.on('data', (chunk) => (answers += chunk));
  const body = ' '.repeat(50_000);
  socket.write(`POST /api/v1/webinars HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  socket.write('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
  await new Promise((resolve) => socket.on('close', resolve));
  expect(answers.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401', 'HTTP/1.1 200']);
});
