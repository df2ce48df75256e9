import { createContext, runInContext } from 'node:vm';
import { gzipSync } from 'node:zlib';
import { join } from 'node:path';
import { build, type Rolldown } from 'vite';
import { expect, test } from 'vitest';

test('the client is small, and runs with the globals that edge functions have', async () => {
  const output = await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      write: false,
      minify: true,
      lib: { entry: join(import.meta.dirname, 'index.ts'), formats: ['iife'], name: 'client' },
    },
  });
  const [chunk] = (output as Rolldown.RolldownOutput[])[0]!.output;
  expect(gzipSync(chunk.code).length).toBeLessThan(20_000);

  const web = {
    crypto,
    fetch,
    Headers,
    Response,
    AbortSignal,
    URL,
    URLSearchParams,
    TextEncoder,
    TextDecoder,
    atob,
  };
  const context = createContext({ ...web, Uint8Array, setTimeout, clearTimeout });
  const result: unknown = await runInContext(
    `${chunk.code};
    (async () => {
      const service = async (url, { headers }) =>
        new Response(JSON.stringify({ data: { url, isKeyed: headers.get('Idempotency-Key').length === 36 } }));
      const { data } = await client.createClient({ baseUrl: 'https://x', key: 'k', fetch: service })
        .createWebinar({ body: { title: 'Launch' } });
      const headers = { 'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek', 'webhook-timestamp': '1614265330',
        'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' };
      const now = { getTime: () => 1614265330000 };
      const event = await client.verifyWebhook('{"test": 2432232314}', headers, 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', { now });
      return JSON.stringify({ data, event });
    })()`,
    context,
  );
  expect(JSON.parse(String(result))).toEqual({
    data: { url: 'https://x/api/v1/webinars', isKeyed: true },
    event: { test: 2432232314 },
  });
});
