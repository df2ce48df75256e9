// The address with the tools that read, and the prompts and the manifest of all addresses. The official client is the judge.
import { readFileSync } from 'node:fs';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { allScopes } from '@service/catalogue';
import { protectedResource } from '@service/composition';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  createTestKey,
  createTestToken,
  createTestWorld,
  testApi,
  type TestApi,
  type TestWorld,
} from '../support/api.ts';
import { activityRows, callMcp } from '../support/mcp.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
  world = await createTestWorld(service);
});
afterAll(() => service[Symbol.asyncDispose]());

async function connect(path: string, key = world.key): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const requestInit = { headers: { Authorization: `Bearer ${key}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(service.baseUrl + path), { requestInit }));
  return client;
}

test('the read-only address lists exactly the tools that read, and refuses every other one without an effect', async () => {
  const [all, reading] = [await connect('/mcp'), await connect('/mcp/readonly')];
  const everyTool = (await all.listTools()).tools;
  const { tools } = await reading.listTools();
  expect(tools).toEqual(everyTool.filter(({ annotations }) => annotations?.readOnlyHint === true));
  expect(tools.length).toBeGreaterThan(20);
  expect(reading.getInstructions()).toContain('This address only reads.');
  expect(all.getInstructions()).not.toContain('only reads');
  const found = await reading.callTool({ name: 'list_webinars', arguments: {} });
  expect(found.structuredContent).toMatchObject({ data: [{ title: 'Launch' }] });
  for (const { name } of everyTool.filter(
    (tool) => !tools.includes(tool) && tool.annotations?.readOnlyHint === false,
  ))
    await expect(reading.callTool({ name, arguments: { title: 'New' } })).rejects.toThrow(
      `Unknown tool: ${name}`,
    );
  await Promise.all([all.close(), reading.close()]);
  const { rows } = await service.db.database.pool.query('select title from webinars.webinar');
  expect(rows).toEqual([{ title: 'Launch' }]);
  expect(await activityRows(service, world.accountId)).toContainEqual(
    expect.objectContaining({ tool: 'create_webinar', status: 404, error_code: 'not_found' }),
  );
});

test('the read-only address takes no access token', async () => {
  const { token } = await createTestToken(service, world.accountId, { scopes: allScopes });
  const answer = await callMcp(
    service,
    { id: 1, method: 'tools/list' },
    { key: token, path: '/mcp/readonly' },
  );
  expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
});

test('a client lists the prompts whose tools it may call, and gets their text with its values', async () => {
  for (const path of ['/mcp', '/mcp/readonly']) {
    const client = await connect(path);
    const { prompts } = await client.listPrompts();
    expect(prompts.map(({ name }) => name)).toEqual(['why_did_this_not_fire', 'webinar_report']);
    const values = { person: 'ada@example.com', webinar: 'Launch' };
    for (const { name } of prompts) {
      const { messages } = await client.getPrompt({ name, arguments: values });
      expect(messages).toMatchObject([
        { role: 'user', content: { text: expect.stringContaining('Launch') } },
      ]);
      const { text } = messages[0]!.content as { text: string };
      const known = (await client.listTools()).tools.map((tool) => tool.name);
      for (const [tool] of text.matchAll(/\b(list|get|explain)_[a-z_]+/g)) expect(known).toContain(tool);
    }
    await expect(client.getPrompt({ name: 'webinar_report', arguments: {} })).rejects.toThrow(
      'webinar is required',
    );
    await expect(client.getPrompt({ name: 'nothing', arguments: {} })).rejects.toThrow('Unknown prompt');
    await client.close();
  }
  const { key } = await createTestKey(service, world.accountId, {
    scopes: ['webinars:read'],
    surfaces: ['mcp'],
  });
  const client = await connect('/mcp', key);
  expect((await client.listPrompts()).prompts).toEqual([]);
  await client.close();
});

test('server.json has the name, the version and every address of the server', async () => {
  const client = await connect('/mcp');
  const identity = client.getServerVersion();
  await client.close();
  const text = readFileSync(new URL('../../server.json', import.meta.url), 'utf8');
  const { name, title, version, description, remotes } = JSON.parse(text);
  expect(identity).toMatchObject({ name: name.split('/')[1], title, version });
  // The limit of the registry.
  expect(description.length).toBeLessThanOrEqual(100);
  expect(remotes.map(({ url }: { url: string }) => url)).toEqual(
    [protectedResource.path, '/mcp', '/mcp/readonly'].map((path) => `https://{host}${path}`),
  );
});
