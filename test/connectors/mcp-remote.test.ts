// mcp-remote connects clients that only speak stdio. It is another vendor's whole client: its own process, store of tokens and
// listener on this computer. It prints the address that it opens, and without a PATH it finds no browser.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestAccount, createTestWebinar, testApi, type TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { freePort } from '../support/free-port.ts';
import { approve } from './oauth-client.ts';

const command = fileURLToPath(new URL('../../node_modules/mcp-remote/dist/proxy.js', import.meta.url));

let service: TestApi;
let dashboard: DashboardClient;
let folder: string;
let port: number;
beforeAll(async () => {
  service = await testApi();
  const owner = await createTestAccount(service);
  await createTestWebinar(service, owner.accountId);
  dashboard = await openDashboard(service, owner);
  folder = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
  port = await freePort();
});
afterAll(async () => {
  await rm(folder, { recursive: true });
  await service[Symbol.asyncDispose]();
});

/** The member opens the printed address and allows the access. The browser then comes back to the listener of mcp-remote. */
async function consent(address: string): Promise<void> {
  const answer = await fetch(address, { redirect: 'manual' });
  const request = new URL(answer.headers.get('location')!).searchParams.get('request')!;
  await fetch(await approve(dashboard, { request, scopes: ['webinars:read'] }));
}

/** Starts mcp-remote as a program that speaks stdio starts it, and answers every address that it prints. */
async function start(): Promise<{ client: Client; opened: string[] }> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, `${service.baseUrl}/mcp/connect`, String(port), '--auth-timeout', '50'],
    env: { HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, PATH: folder },
    stderr: 'pipe',
  });
  const opened: string[] = [];
  let log = '';
  let failed: (cause: unknown) => void = () => undefined;
  const failure = new Promise<never>((_resolve, reject) => (failed = reject));
  transport.stderr!.on('data', (chunk: Buffer) => {
    log += chunk.toString();
    const address = /^http\S+\/oauth\/authorize\?\S+$/m.exec(log)?.[0];
    if (address === undefined || opened.includes(address)) return;
    opened.push(address);
    consent(address).catch(failed);
  });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  await Promise.race([client.connect(transport), failure]).catch((cause: unknown) => {
    throw new Error(log, { cause });
  });
  return { client, opened };
}

const titles = async (client: Client): Promise<string[]> => {
  const { structuredContent } = await client.callTool({ name: 'list_webinars', arguments: {} });
  return (structuredContent as { data: { title: string }[] }).data.map(({ title }) => title);
};

test('mcp-remote connects from 401 to a tool call over stdio, goes on with its tokens after a restart, and asks again after a revocation', async () => {
  const first = await start();
  expect(await titles(first.client)).toEqual(['Launch']);
  expect(first.opened).toHaveLength(1);
  expect(new URL(first.opened[0]!).searchParams.get('resource')).toBe(`${service.baseUrl}/mcp/connect`);
  await first.client.close();

  const [grant] = await dashboard.query('grants.list');
  expect(grant).toMatchObject({ state: 'active', scopes: ['webinars:read'], redirectHost: 'localhost' });
  // Its access token has expired when it starts again, so it refreshes.
  await service.db.database.pool.query(
    `update keys.access_token set expires_at = now() - interval '1 second' where grant_id = $1`,
    [grant.id],
  );
  const second = await start();
  expect(await titles(second.client)).toEqual(['Launch']);
  expect(second.opened).toEqual([]);
  await second.client.close();

  await dashboard.mutate('grants.revoke', { id: grant.id });
  const third = await start();
  expect(await titles(third.client)).toEqual(['Launch']);
  expect(third.opened).toHaveLength(1);
  const grants = await dashboard.query('grants.list');
  expect(grants.map(({ state }: { state: string }) => state)).toEqual(['active', 'revoked']);
});
