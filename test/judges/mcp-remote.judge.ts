// mcp-remote connects clients that only speak stdio. It is another vendor's whole client: its own process, store of tokens and
// listener on this computer. It prints the address that it opens, and without a PATH it finds no browser.
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { createTestAccount, createTestWebinar, testApi, type TestApi } from '../support/api.ts';
import { openDashboard, type DashboardClient } from '../support/dashboard.ts';
import { freePort } from '../support/free-port.ts';
import { consentAt } from '../connectors/oauth-client.ts';
import { judgeProgram } from './judge-program.ts';

const command = judgeProgram('mcp-remote/dist/proxy.js');

let service: TestApi;
let dashboard: DashboardClient;
let port: number;
beforeAll(async () => {
  service = await testApi();
  const owner = await createTestAccount(service);
  await createTestWebinar(service, owner.accountId);
  dashboard = await openDashboard(service, owner);
  port = await freePort();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Started {
  client: Client;
  connected: Promise<void>;
  /** The addresses of the consent pages that the member answered. */
  answered: URL[];
}

/** Starts mcp-remote as a program that speaks stdio starts it. The member answers each address that it prints. */
function start(folder: string): Started {
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
    // It prints the address a moment before it listens for the answer.
    if (!log.includes('OAuth callback server running')) return;
    for (const [address] of log.matchAll(/^http\S+\/oauth\/authorize\?\S+$/gm)) {
      if (seen.has(address)) continue;
      seen.add(address);
      // The browser then comes back to the listener of mcp-remote.
      await fetch(await consentAt(address, dashboard, ['webinars:read']));
      answered.push(new URL(address));
    }
  };
  transport.stderr!.on('data', (chunk: Buffer) => void read(chunk).catch(failure.reject));
  const connected = Promise.race([client.connect(transport), failure.promise]).catch((cause: unknown) => {
    throw new Error(log, { cause });
  });
  return { client, connected, answered };
}

async function titles({ client, connected }: Started): Promise<string[]> {
  await connected;
  const { structuredContent } = await client.callTool({ name: 'list_webinars', arguments: {} });
  return (structuredContent as { data: { title: string }[] }).data.map(({ title }) => title);
}

const asked = ({ answered }: Started, name: string) =>
  answered.map(({ searchParams }) => searchParams.get(name));

test('mcp-remote connects from 401 to a tool call over stdio, refreshes its token after a restart, and asks again after a revocation', async () => {
  const home = await mkdtemp(join(tmpdir(), 'mcp-remote-'));
  onTestFinished(() => rm(home, { recursive: true }));
  const first = start(home);
  expect(await titles(first)).toEqual(['Launch']);
  expect(asked(first, 'resource')).toEqual([`${service.baseUrl}/mcp/connect`]);
  await first.client.close();

  const [grant] = await dashboard.query('grants.list');
  expect(grant).toMatchObject({ state: 'active', scopes: ['webinars:read'], redirectHost: 'localhost' });
  await service.db.database.pool.query(
    `update keys.access_token set expires_at = now() - interval '1 second' where grant_id = $1`,
    [grant.id],
  );
  const second = start(home);
  expect(await titles(second)).toEqual(['Launch']);
  expect(second.answered).toEqual([]);
  await second.client.close();

  await dashboard.mutate('grants.revoke', { id: grant.id });
  const third = start(home);
  expect(await titles(third)).toEqual(['Launch']);
  expect(asked(third, 'client_id')).toEqual(asked(first, 'client_id'));
  const grants = await dashboard.query('grants.list');
  expect(grants.map(({ state }: { state: string }) => state)).toEqual(['active', 'revoked']);
});
