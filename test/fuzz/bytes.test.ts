// Below the API: bytes that are hardly HTTP. SEED=n tries others.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { sendBytes } from './send.ts';
import { failureLog, leaks, seed } from './judge.ts';

let service: TestApi;
let authorization: string;

beforeAll(async () => {
  service = await testApi({ log: failureLog });
  authorization = `Authorization: Bearer ${(await createTestWorld(service)).key}\r\n`;
});
afterAll(() => service[Symbol.asyncDispose]());

const statusesOf = (answer: string): number[] =>
  [...answer.matchAll(/^HTTP\/1\.1 (\d{3}) /gm)].map((match) => Number(match[1]));

/** A line, headers and a body, on a connection that ends afterwards. */
const ask = (line: string, headers: string, body = ''): Promise<string> =>
  sendBytes(
    service.baseUrl,
    Buffer.from(`${line}\r\nHost: x\r\nConnection: close\r\n${authorization}${headers}\r\n${body}`, 'latin1'),
  );

const list = 'GET /api/v1/webinars HTTP/1.1';
const create = 'POST /api/v1/webinars HTTP/1.1';
const json = 'Content-Type: application/json\r\n';

test('odd HTTP requests are answered or refused, never with a fault', async () => {
  const cases: [string, number[], () => Promise<string>][] = [
    ['an absolute target', [200], () => ask('GET http://evil.example/api/v1/webinars HTTP/1.1', '')],
    ['an asterisk', [200], () => ask('OPTIONS * HTTP/1.1', '')],
    ['a target without a slash', [400], () => ask('GET api/v1/webinars HTTP/1.1', '')],
    ['backslashes', [404], () => ask('GET /api/v1\\webinars HTTP/1.1', '')],
    ['bytes beyond ASCII', [400], () => ask('GET /api/v1/webin\xe4rs/\xff HTTP/1.1', '')],
    ['a fragment', [200, 404], () => ask('GET /api/v1/webinars#x HTTP/1.1', '')],
    ['a long target', [404], () => ask(`GET /api/v1/${'a'.repeat(12_000)} HTTP/1.1`, '')],
    ['a target longer than is read', [0, 431], () => ask(`GET /api/v1/${'a'.repeat(90_000)} HTTP/1.1`, '')],
    ['a header longer than is read', [0, 431], () => ask(list, `X-Long: ${'v'.repeat(90_000)}\r\n`)],
    ['more headers than are read', [0, 200, 431], () => ask(list, 'X-Many: 1\r\n'.repeat(1500))],
    ['no host', [400], () => sendBytes(service.baseUrl, `${list}\r\nConnection: close\r\n\r\n`)],
    ['an old version', [200, 401], () => sendBytes(service.baseUrl, 'GET /api/v1/webinars HTTP/1.0\r\n\r\n')],
    ['an unknown version', [400], () => ask('GET /api/v1/webinars HTTP/9.9', '')],
    ['another protocol', [400], () => sendBytes(service.baseUrl, 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n')],
    ['TLS', [400], () => sendBytes(service.baseUrl, Buffer.from('160301020001000', 'hex'))],
    ['a made-up method', [400], () => ask('FETCH /api/v1/webinars HTTP/1.1', '')],
    ['a lower-case method', [400], () => ask('get /api/v1/webinars HTTP/1.1', '')],
    ['a control character in a header', [400], () => ask(list, 'X-Odd: a\0b\r\n')],
    ['a folded header', [200, 400], () => ask(list, 'X-Odd: a\r\n b\r\n')],
    ['a space before the colon', [400], () => ask(list, 'X-Odd : a\r\n')],
    ['two lengths', [400], () => ask(create, `${json}Content-Length: 2\r\nContent-Length: 3\r\n`, '{}x')],
    ['a negative length', [400], () => ask(create, `${json}Content-Length: -1\r\n`, '{}')],
    ['a length in words', [400], () => ask(create, `${json}Content-Length: two\r\n`, '{}')],
    [
      'length and chunks at once',
      [400],
      () => ask(create, `${json}Content-Length: 4\r\nTransfer-Encoding: chunked\r\n`, '0\r\n\r\n'),
    ],
    ['an unknown transfer encoding', [400], () => ask(create, `${json}Transfer-Encoding: cow\r\n`, '{}')],
    [
      'a bad chunk',
      [400],
      () => ask(create, `${json}Transfer-Encoding: chunked\r\n`, 'zz\r\n{}\r\n0\r\n\r\n'),
    ],
    [
      'a chunk extension and a trailer',
      [422],
      () =>
        ask(
          create,
          `${json}Transfer-Encoding: chunked\r\nTrailer: X\r\n`,
          '2;a=b\r\n{}\r\n0\r\nX: y\r\n\r\n',
        ),
    ],
    ['a length beyond the limit', [413], () => ask(create, `${json}Content-Length: 99999999\r\n`, '{')],
    ['an expectation', [417], () => ask(create, `${json}Expect: nonsense\r\nContent-Length: 2\r\n`, '{}')],
    ['an upgrade', [200], () => ask(list, 'Upgrade: websocket\r\nSec-WebSocket-Key: x\r\n')],
  ];
  const wrong: unknown[] = [];
  for (const [what, expected, send] of cases) {
    const answer = await send();
    const status = statusesOf(answer)[0] ?? 0;
    if (!expected.includes(status) || leaks.test(answer)) wrong.push([what, status, answer.slice(0, 500)]);
  }
  expect(wrong).toEqual([]);
});

test('a thousand spoilt requests do no harm to the server', async () => {
  const body = '{"title":"Launch"}';
  const good = Buffer.from(
    `${create}\r\nHost: x\r\n${authorization}${json}Content-Length: ${body.length}\r\nIdempotency-Key: k\r\n\r\n${body}${list}\r\nHost: x\r\nConnection: close\r\n\r\n`,
  );
  const spoilt = fc
    .array(fc.tuple(fc.nat({ max: good.length - 1 }), fc.nat({ max: 255 })), { minLength: 1, maxLength: 3 })
    .map((changes) => {
      const bytes = Buffer.from(good);
      for (const [index, value] of changes) bytes[index] = value;
      return bytes;
    });
  // Most wait for their timeout, because the server waits for more bytes: many at a time take less time.
  const concurrency = 100;
  const requests = fc.sample(spoilt, { seed, numRuns: 1000 });
  for (let start = 0; start < requests.length; start += concurrency) {
    const batch = requests.slice(start, start + concurrency);
    for (const [index, answer] of (
      await Promise.all(batch.map((bytes) => sendBytes(service.baseUrl, bytes, 250)))
    ).entries()) {
      const sent = batch[index]!.toString('latin1');
      expect(Math.max(0, ...statusesOf(answer)), sent).toBeLessThan(500);
      expect(answer, sent).not.toMatch(leaks);
    }
  }
  expect(statusesOf(await ask(list, ''))).toEqual([200]);
});
