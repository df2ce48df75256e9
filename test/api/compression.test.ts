import { request } from 'node:http';
import { brotliDecompressSync, gunzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';

let service: TestApi;
let key: string;

beforeAll(async () => {
  service = await testApi();
  ({ key } = await createTestWorld(service));
});
afterAll(() => service[Symbol.asyncDispose]());

interface RawAnswer {
  status: number;
  headers: Record<string, string | string[] | undefined>;
  bytes: Buffer;
}

/** The bytes as they were sent: fetch would unpack them. */
const ask = (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const sent = request(
      service.baseUrl + path,
      { method, headers: { Authorization: `Bearer ${key}`, ...headers } },
      (answer) => {
        const chunks: Buffer[] = [];
        answer.on('data', (chunk: Buffer) => chunks.push(chunk));
        answer.on('end', () =>
          resolve({ status: answer.statusCode!, headers: answer.headers, bytes: Buffer.concat(chunks) }),
        );
      },
    );
    sent.on('error', reject);
    sent.end();
  });

const list = '/api/v1/event-types';

test('a large answer is compressed for a client that accepts it, and decompresses to the same bytes', async () => {
  const page = await ask('/');
  const [script] = /\/assets\/[^"]+\.js/.exec(page.bytes.toString())!;
  for (const path of [list, '/api/v1/openapi.json', '/api/v1/docs/scalar.js', script]) {
    const plain = await ask(path, { 'Accept-Encoding': 'identity' });
    expect([plain.status, plain.headers['content-encoding']], path).toEqual([200, undefined]);
    const brotli = await ask(path, { 'Accept-Encoding': 'gzip, br' });
    const gzip = await ask(path, { 'Accept-Encoding': 'gzip' });
    for (const answer of [plain, brotli, gzip])
      expect(answer.headers['vary'], path).toContain('Accept-Encoding');
    expect([brotli.headers['content-encoding'], gzip.headers['content-encoding']], path).toEqual([
      'br',
      'gzip',
    ]);
    expect(brotliDecompressSync(brotli.bytes).equals(plain.bytes), path).toBe(true);
    expect(gunzipSync(gzip.bytes).equals(plain.bytes), path).toBe(true);
  }
});

test('an ETag of one encoding is valid for every other', async () => {
  for (const path of [list, '/api/v1/openapi.json']) {
    const { headers } = await ask(path, { 'Accept-Encoding': 'br' });
    expect(headers['etag'], path).toMatch(/^W\/"/);
    const again = await ask(path, { 'Accept-Encoding': 'gzip', 'If-None-Match': String(headers['etag']) });
    expect([again.status, again.bytes.length], path).toEqual([304, 0]);
    expect(again.headers['vary'], path).toContain('Accept-Encoding');
  }
});

test('a small answer and an answer to HEAD are not compressed', async () => {
  const small = await ask('/api/v1/me', { 'Accept-Encoding': 'br' });
  expect([small.status, small.headers['content-encoding']]).toEqual([200, undefined]);
  expect(Number(small.headers['content-length'])).toBe(small.bytes.length);
  const head = await ask(list, { 'Accept-Encoding': 'br' }, 'HEAD');
  expect([head.status, head.bytes.length]).toEqual([200, 0]);
});
