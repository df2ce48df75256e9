// The official conformance suite. It has no option for a key, so a proxy on this machine adds the header.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';

let service: TestApi;
let folder: string;
const proxy = createServer();
beforeAll(async () => {
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const { port } = proxy.address() as AddressInfo;
  // A scenario calls with the origin of the proxy, which stands for that of the service.
  service = await testApi({ corsAllowedOrigins: [`http://127.0.0.1:${port}`] });
  folder = await mkdtemp(join(tmpdir(), 'conformance-'));
  const { key } = await createTestWorld(service);
  proxy.on('request', (request, response) => {
    const { method, url, headers } = request;
    const { host: _host, ...kept } = headers;
    const target = send(`${service.baseUrl}${url}`, {
      method,
      headers: { ...kept, authorization: `Bearer ${key}` },
    });
    target.on('response', (answer) => {
      response.writeHead(answer.statusCode!, answer.headers);
      answer.pipe(response);
    });
    request.pipe(target);
  });
});
afterAll(async () => {
  proxy.closeAllConnections();
  proxy.close();
  await service[Symbol.asyncDispose]();
  await rm(folder, { recursive: true });
});

const suite = fileURLToPath(
  new URL('../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);

/** Runs a scenario; its output, which names the checks that failed. */
async function run(scenario: string): Promise<string> {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const ended = promisify(execFile)(
    process.execPath,
    [suite, 'server', '--url', url, '--scenario', scenario],
    { cwd: folder, timeout: 55_000 },
  );
  // It exits with 1 when a check failed.
  const { stdout } = await ended.catch((error: { stdout: string }) => error);
  return stdout;
}

const needsFixture = 'Needs a diagnostic tool of the suite.';

/** The checks of a scenario that fail here, with the reason. */
const exceptions: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'server-stateless': {
    'sep-2575-server-rejects-undeclared-capability': needsFixture,
    'sep-2575-missing-capability-http-400': needsFixture,
    'sep-2575-http-server-no-independent-requests-on-stream': needsFixture,
    'sep-2575-server-no-log-without-loglevel': needsFixture,
  },
  caching: { 'sep-2549-prompts-list-caching-hints': 'The server has no prompts.' },
};

// The other scenarios call fixtures of the suite's own server: tools such as `test_simple_text`, prompts, subscriptions of
// resources, logging, completion, sampling, elicitation, tasks and skills. This server has none of these capabilities. Those of
// sessions and of server-sent events need a server with sessions.
test.each([
  'server-initialize',
  'server-stateless',
  'ping',
  'tools-list',
  'resources-list',
  'sep-2164-resource-not-found',
  'dns-rebinding-protection',
  'caching',
  'http-header-validation',
])('the scenario %s passes', async (scenario) => {
  const output = await run(scenario);
  // oxlint-disable-next-line no-control-regex -- the output has colours
  const plain = output.replaceAll(/\u001B\[\d+m/g, '');
  const checks = [...plain.matchAll(/^\S+ \[([\w-]+) *\] (SUCCESS|FAILURE|WARNING)/gm)];
  const failed = checks.filter(([, , result]) => result === 'FAILURE').map(([, name]) => name);
  expect(checks.length, output).toBeGreaterThan(failed.length);
  expect(failed, output).toEqual(Object.keys(exceptions[scenario] ?? {}));
});
