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

/**
 * The member opens the printed address and allows the access. The browser then comes back to the listener of mcp-remote. Returns false
 * if the address leads to no consent page.
 */
async function consent(address: string): Promise<boolean> {
  const location = (await fetch(address, { redirect: 'manual' })).headers.get('location');
  if (location === null) return false;
  const request = new URL(location).searchParams.get('request')!;
  await fetch(await approve(dashboard, { request, scopes: ['webinars:read'] }));
  return true;
}

interface Started {
  client: Client;
  /** The addresses of the consent pages that the member answered. */
  answered: URL[];
}

/** Starts mcp-remote as a program that speaks stdio starts it, and answers every address that it prints. */
async function start(): Promise<Started> {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [command, `${service.baseUrl}/mcp/connect`, String(port), '--auth-timeout', '50'],
    env: { HOME: folder, MCP_REMOTE_CONFIG_DIR: folder, PATH: folder },
    stderr: 'pipe',
  });
  const client = new Client({ name: 'test', version: '1' });
  onTestFinished(() => client.close());
  const answered: URL[] = [];
  const failure = Promise.withResolvers<never>();
  const seen = new Set<string>();
  let log = '';
  const read = async (chunk: Buffer): Promise<void> => {
    log += chunk.toString();
    for (const [address] of log.matchAll(/^http\S+\/oauth\/authorize\?\S+$/gm)) {
      if (seen.has(address)) continue;
      seen.add(address);
      if (await consent(address)) answered.push(new URL(address));
    }
  };
  transport.stderr!.on('data', (chunk: Buffer) => void read(chunk).catch(failure.reject));
  await Promise.race([client.connect(transport), failure.promise]).catch((cause: unknown) => {
    throw new Error(log, { cause });
  });
  return { client, answered };
}

const titles = async (client: Client): Promise<string[]> => {
  const { structuredContent } = await client.callTool({ name: 'list_webinars', arguments: {} });
  return (structuredContent as { data: { title: string }[] }).data.map(({ title }) => title);
};

test('mcp-remote connects from 401 to a tool call over stdio, refreshes its token after a restart, and after a revocation registers and asks again', async () => {
  const first = await start();
  expect(await titles(first.client)).toEqual(['Launch']);
  expect(first.answered.map(({ searchParams }) => searchParams.get('resource'))).toEqual([
    `${service.baseUrl}/mcp/connect`,
  ]);
  await first.client.close();

  const [grant] = await dashboard.query('grants.list');
  expect(grant).toMatchObject({ state: 'active', scopes: ['webinars:read'], redirectHost: 'localhost' });
  const { pool } = service.db.database;
  await pool.query(
    `update keys.access_token set expires_at = now() - interval '1 second' where grant_id = $1`,
    [grant.id],
  );
  const second = await start();
  expect(await titles(second.client)).toEqual(['Launch']);
  expect(second.answered).toEqual([]);
  await second.client.close();

  await dashboard.mutate('grants.revoke', { id: grant.id });
  // As after a year without an approval.
  await pool.query('delete from connectors.client');
  const third = await start();
  expect(await titles(third.client)).toEqual(['Launch']);
  const clientIds = [...first.answered, ...third.answered].map(({ searchParams }) =>
    searchParams.get('client_id'),
  );
  expect(new Set(clientIds).size).toBe(2);
  const grants = await dashboard.query('grants.list');
  expect(grants.map(({ state }: { state: string }) => state)).toEqual(['active', 'revoked']);
});
