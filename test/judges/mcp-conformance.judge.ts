// The official conformance suite. It has no option for a key, so a proxy on this machine adds the header.
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, request as send } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { judgeProgram } from './judge-program.ts';

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

const suite = judgeProgram('@modelcontextprotocol/conformance/dist/index.js');

const runSuite = (...args: string[]) =>
  promisify(execFile)(process.execPath, [suite, ...args], { cwd: folder, timeout: 55_000 });

/** Runs a scenario in a version of the protocol; its output, which names the checks that failed. */
async function run(scenario: string, version: string): Promise<string> {
  const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}/mcp`;
  const ended = runSuite('server', '--url', url, '--scenario', scenario, '--spec-version', version);
  // It exits with 1 when a check failed.
  const { stdout } = await ended.catch((error: { stdout: string }) => error);
  // oxlint-disable-next-line no-control-regex -- the output has colours
  return stdout.replaceAll(/\u001B\[\d+m/g, '');
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
};

const [handshake, modern] = ['2025-11-25', '2026-07-28'];

/** The scenarios that apply, with the versions in which they are run: what one version answers says nothing about another. */
const applied: Readonly<Record<string, readonly string[]>> = {
  'server-initialize': ['2025-06-18', handshake],
  'server-stateless': [modern],
  ping: [handshake],
  'tools-list': ['2025-06-18', handshake, modern],
  'resources-list': [handshake, modern],
  'prompts-list': [handshake, modern],
  'sep-2164-resource-not-found': [modern],
  'dns-rebinding-protection': [handshake, modern],
  caching: [modern],
  'http-header-validation': [modern],
  'input-required-result-unsupported-methods': [modern],
};

/** The scenarios that do not apply, by the reason. A star stands for the rest of a name. */
const notApplied: Readonly<Record<string, readonly string[]>> = {
  'They call tools of the own server of the suite, such as `test_simple_text`.': [
    'tools-call-*',
    'json-schema-2020-12',
    'http-custom-header-server-validation',
    'input-required-result-*',
  ],
  'They read documents of that server, such as `test://static-text`.': [
    'resources-read-*',
    'resources-templates-read',
  ],
  'The server has no sessions and no event streams.': ['server-session-lifecycle', 'server-sse-*'],
  'They get prompts of that server, such as `test_simple_prompt`.': ['prompts-get-*'],
  'The server has no subscriptions of resources, no logging, no completion, and asks clients nothing.': [
    'resources-subscribe',
    'resources-unsubscribe',
    'logging-set-level',
    'completion-complete',
    'elicitation-*',
  ],
  'Extensions that the server does not have.': ['tasks-*', 'sep-2640-*'],
};

test('each scenario for servers is run, or does not apply for a known reason', async () => {
  const { stdout } = await runSuite('list', '--server');
  const known = [...stdout.matchAll(/^ +- ([\w-]+) \[/gm)].map(([, name]) => name!);
  expect(known.length).toBeGreaterThan(60);
  const fits = (name: string) => (pattern: string) =>
    pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern;
  const patterns = Object.values(notApplied).flat();
  const others = known.filter((name) => !(name in applied));
  for (const name of Object.keys(applied)) expect(known).toContain(name);
  for (const name of others) expect(patterns.filter(fits(name)), name).toHaveLength(1);
  for (const pattern of patterns)
    expect(
      others.some((name) => fits(name)(pattern)),
      pattern,
    ).toBe(true);
});

test.each(
  Object.entries(applied).flatMap(([name, versions]) => versions.map((version) => [name, version] as const)),
)('the scenario %s passes in version %s', async (scenario, version) => {
  const output = await run(scenario, version);
  // The last line: without it the scenario has not ended.
  expect(output).toMatch(/^Passed: \d+\/\d+, \d+ failed/m);
  const checks = [...output.matchAll(/^\S+ \[([\w-]+) *\] (SUCCESS|FAILURE|WARNING)/gm)];
  const failed = checks.filter(([, , result]) => result === 'FAILURE').map(([, name]) => name);
  expect(checks.length, output).toBeGreaterThan(failed.length);
  expect(failed, output).toEqual(Object.keys(exceptions[scenario] ?? {}));
});
