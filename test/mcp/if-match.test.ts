// Tools that change a record take the version that the change began with, as REST takes `If-Match`.
import { toolCatalogue } from '@service/composition';
import { createTools, type Tool } from '@service/mcp';
import { listRoutes, type Route } from '@service/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { createEverything } from '../support/everything.ts';
import { callTool } from '../support/mcp.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { argumentsOf } from '../support/tool-arguments.ts';

let service: TestApi;
let receiver: Receiver;
let routes: Route[];
let tools: Tool[];
beforeAll(async () => {
  service = await testApi();
  receiver = await startReceiver();
  routes = listRoutes(service.api.service.router);
  tools = createTools(service.api.service.router, toolCatalogue);
});
afterAll(async () => {
  await receiver[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

test('a change of an earlier version is refused with the current record and its version, by every tool that changes one', async () => {
  const world = await createEverything(service, receiver.url);
  const edits = tools.filter(({ isEdit }) => isEdit);
  expect(edits.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['update_webinar', 'update_interaction', 'update_automation']),
  );
  for (const tool of edits) {
    const { name } = tool;
    const given = argumentsOf(tool, routes, world);
    const change = (fields: object) => callTool(service, world.key, name, { ...given, ...fields });
    const stale = await change({ if_match: 'earlier' });
    expect(stale.data, name).toMatchObject({
      code: 'precondition_failed',
      nextStep: expect.stringContaining('if_match'),
      version: expect.stringMatching(/^[0-9a-f]{16}$/),
    });
    const changed = await change({ if_match: stale.data.version });
    expect(changed.isError, `${name} ${changed.text}`).toBe(false);
    expect(Object.keys(stale.data.data), name).toEqual(Object.keys(changed.data.data));
    expect((await change({ if_match: changed.data.version })).isError, name).toBe(false);
    const typed = await change({ if_match: 7 });
    expect(typed.data.issues, name).toEqual([{ path: 'if_match', message: 'Must be a string.' }]);
  }
});

test('the version in a result is that of the ETag over REST, and a tool takes both', async () => {
  const { key, webinar, call } = await createTestWorld(service);
  const webinarId = webinar.id;
  const { version } = (await callTool(service, key, 'get_webinar', { webinarId })).data;
  const etag = (await call('GET ')).headers.get('etag')!;
  expect(etag.startsWith(`"${version}.`)).toBe(true);
  const made = await callTool(service, key, 'update_webinar', { webinarId, title: 'New', if_match: etag });
  expect(made.isError).toBe(false);
});

test('a repeated change with an idempotency key gets its first answer, and another version is another request', async () => {
  const { key, webinar } = await createTestWorld(service);
  const webinarId = webinar.id;
  const { version } = (await callTool(service, key, 'get_webinar', { webinarId })).data;
  const change = (fields: object) =>
    callTool(service, key, 'update_webinar', {
      webinarId,
      title: 'Once',
      idempotency_key: 'once',
      ...fields,
    });
  const first = await change({ if_match: version });
  const again = await change({ if_match: version });
  expect([first.isError, again.data]).toEqual([false, first.data]);
  expect((await change({ if_match: first.data.version })).data.code).toBe('idempotency_key_reused');
  const late = { title: 'Late', idempotency_key: 'late', if_match: version };
  const refused = await change(late);
  expect(refused.data).toMatchObject({ code: 'precondition_failed', data: { title: 'Once' } });
  expect((await change(late)).data).toEqual(refused.data);
});

test('a tool that changes no record refuses a version as an unknown field', async () => {
  const { key } = await createTestWorld(service);
  const made = await callTool(service, key, 'create_webinar', { title: 'New', if_match: 'earlier' });
  expect(made.data.issues).toEqual([{ path: 'if_match', message: 'Unknown field.' }]);
});
