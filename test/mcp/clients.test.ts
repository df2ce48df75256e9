// Official clients: the SDK in its two major versions and in both kinds of protocol versions.
import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import {
  Client as ModernClient,
  StreamableHTTPClientTransport as ModernTransport,
} from '@modelcontextprotocol/client';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
  world = await createTestWorld(service);
});
afterAll(() => service[Symbol.asyncDispose]());

const url = () => new URL(`${service.baseUrl}/mcp`);
const authorized = () => ({ requestInit: { headers: { Authorization: `Bearer ${world.key}` } } });
const info = { name: 'test', version: '1.0.0' };

/** The part of both clients that the test uses. */
interface AnyClient {
  listTools(): Promise<{ tools: { name: string; outputSchema?: unknown }[] }>;
  callTool(params: { name: string; arguments: Record<string, unknown> }): Promise<unknown>;
  listResources(): Promise<{ resources: { uri: string }[] }>;
  readResource(params: { uri: string }): Promise<{ contents: object[] }>;
  close(): Promise<void>;
}

/** The same conversation with each client. */
async function converse(client: AnyClient): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.length).toBeGreaterThan(30);
  // The client validates this result against the schema of the tool.
  const found = await client.callTool({ name: 'list_webinars', arguments: { q: 'Launch' } });
  expect(found).toMatchObject({ structuredContent: { data: [{ id: world.webinar.id, title: 'Launch' }] } });
  const refused = await client.callTool({ name: 'get_webinar', arguments: { webinarId: 'nonsense' } });
  expect(refused).toMatchObject({ isError: true });
  const { resources } = await client.listResources();
  const { contents } = await client.readResource({ uri: resources[0]!.uri });
  expect(contents).toHaveLength(1);
  await client.close();
}

test('the client of SDK 1 connects with version 2025-11-25', async () => {
  const client = new Client(info);
  const transport = new StreamableHTTPClientTransport(url(), authorized());
  await client.connect(transport);
  expect([transport.protocolVersion, client.getServerVersion()?.name]).toEqual(['2025-11-25', 'webinars']);
  await client.ping();
  await converse(client);
});

test.each([
  ['its default', undefined, '2025-11-25'],
  ['a negotiated version', { mode: 'auto' } as const, '2026-07-28'],
  ['a pinned version', { mode: { pin: '2026-07-28' } } as const, '2026-07-28'],
])('the client of SDK 2 connects with %s', async (_title, versionNegotiation, version) => {
  const client = new ModernClient(info, versionNegotiation ? { versionNegotiation } : {});
  await client.connect(new ModernTransport(url(), authorized()));
  expect(client.getNegotiatedProtocolVersion()).toBe(version);
  await converse(client);
});

test('the call over MCP in README.md works as it is printed', async () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8');
  const [command] = /curl [^`]*tools\/call[^`]*/.exec(readme)!;
  const here = command.replace('http://localhost:3000', service.baseUrl);
  const { stdout } = await promisify(execFile)('sh', ['-c', here], {
    env: { ...process.env, API_KEY: world.key },
  });
  expect(JSON.parse(stdout)).toMatchObject({
    id: 1,
    result: {
      structuredContent: {
        data: [{ id: world.webinar.id, title: 'Launch' }],
        pagination: { hasMore: false },
      },
    },
  });
});
