import { toolCatalogue } from '@service/composition';
import { createTools, rowsMax, type Tool } from '@service/mcp';
import { clientProcedures } from '@service/surface';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { callMcp, callModern, callTool } from '../support/mcp.ts';

let service: TestApi;
let world: TestWorld;
let tools: Tool[];
beforeAll(async () => {
  service = await testApi();
  world = await createTestWorld(service);
  tools = createTools(service.api.service.router, toolCatalogue);
});
afterAll(() => service[Symbol.asyncDispose]());

test('the list of tools has less than 41 kB and always the same order', async () => {
  const message = { id: 1, method: 'tools/list' };
  const list = () => callMcp(service, message, { key: world.key });
  const { text } = await list();
  const modern = await callModern(service, message, { key: world.key });
  for (const answered of [text, modern.text]) expect(Buffer.byteLength(answered)).toBeLessThan(41_000);
  expect((await list()).text).toBe(text);
  expect(tools.length).toBeGreaterThanOrEqual(20);
  expect(tools.length).toBeLessThanOrEqual(49);
});

test('each tool has a verb, a description of two facts, and hints for the consent of a person', () => {
  for (const { name, listed, isWrite } of tools) {
    expect(name).toMatch(/^[a-z]+(_[a-z]+)+$/);
    expect(listed.title, name).toMatch(/^[A-Z]/);
    expect(listed.description.length, name).toBeGreaterThan(60);
    for (const [argument, schema] of Object.entries(listed.inputSchema['properties'] as object))
      expect(schema.description, `${name} ${argument}`).toMatch(/./);
    // The answer to a write has a few fields of what the client has changed, so the list leaves out its schema.
    expect(listed.outputSchema?.['properties'], name).toEqual(isWrite ? undefined : expect.anything());
    expect(listed.annotations['readOnlyHint'], name).toBe(!isWrite);
    if (isWrite) expect(listed.annotations, name).toHaveProperty('destructiveHint');
    if (/^(delete|cancel|archive|update|rotate|move)_/.test(name))
      expect(listed.annotations['destructiveHint'], name).toBe(true);
    const properties = listed.inputSchema['properties'] as object;
    expect('idempotency_key' in properties, name).toBe(isWrite);
  }
});

test('a tool that can send data of attendees to a new host is destructive, and says to ask for the URL', () => {
  const sending = tools.filter(({ listed }) => 'actions' in (listed.inputSchema['properties'] as object));
  expect(sending.map(({ name }) => name)).toEqual(['create_automation', 'update_automation']);
  for (const { name, listed } of sending) {
    expect(listed.annotations, name).toMatchObject({ destructiveHint: true, openWorldHint: true });
    expect(listed.description, name).toMatch(/[Aa]sk the user for (the URL|it)/);
  }
});

test('a tool of one procedure has its name, and no tool is about subscriptions', () => {
  const procedures = new Map(
    clientProcedures(service.api.service.router).map((known) => [known.procedure, known]),
  );
  for (const { name, procedure } of toolCatalogue) {
    const { meta } = procedures.get(procedure)!;
    if (meta.openapi) expect(meta.tool, name).toBe(name);
    expect(procedure, name).not.toMatch(/^webhooks/);
  }
});

test('the arguments of each tool are those of its procedure', () => {
  for (const { name, procedure, listed } of tools) {
    const known = Object.keys((procedure.input as { shape?: object } | undefined)?.shape ?? {});
    const shown = Object.keys(listed.inputSchema['properties'] as object);
    const required = (listed.inputSchema['required'] ?? []) as string[];
    expect([...known, 'idempotency_key', 'if_match'], name).toEqual(expect.arrayContaining(shown));
    expect(shown, name).toEqual(expect.arrayContaining(required));
  }
});

test('every value of a closed set that a procedure accepts is in the schema of its tool', () => {
  let sets = 0;
  for (const { name, procedure, listed } of tools) {
    const input = procedure.input ?? z.strictObject({});
    const accepted = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' });
    const shown = listed.inputSchema['properties'] as Record<string, object>;
    for (const [argument, schema] of Object.entries(accepted.properties ?? {})) {
      if (!(argument in shown)) continue;
      const values = closedSets(resolved(schema, accepted.$defs ?? {}));
      if (values.length > 0) sets += 1;
      const text = JSON.stringify(shown[argument]);
      const missing = values.filter((value) => !text.includes(JSON.stringify(value)));
      expect([name, argument, missing]).toEqual([name, argument, []]);
    }
  }
  expect(sets).toBeGreaterThan(12);
});

/** The values of an argument and of the items of a list. Fields of objects have their own descriptions. */
function closedSets(schema: unknown): unknown[] {
  const {
    enum: values = [],
    items,
    anyOf = [],
    properties,
  } = schema as Record<string, unknown> & {
    enum?: unknown[];
    anyOf?: unknown[];
  };
  if (properties !== undefined) return [];
  return [...values, ...(items === undefined ? [] : closedSets(items)), ...anyOf.flatMap(closedSets)];
}

/** A schema without references. */
function resolved(schema: unknown, defs: Record<string, unknown>): unknown {
  if (Array.isArray(schema)) return schema.map((item) => resolved(item, defs));
  if (typeof schema !== 'object' || schema === null) return schema;
  const { $ref: reference, ...rest } = schema as Record<string, unknown>;
  const named = typeof reference === 'string' ? (defs[reference.replace('#/$defs/', '')] as object) : {};
  return Object.fromEntries(
    Object.entries({ ...named, ...rest }).map(([key, value]) => [key, resolved(value, defs)]),
  );
}

test('a list has 20 rows at most, and its cursor leads through all of them', async () => {
  const titles = Array.from({ length: 24 }, (_, number) => `Row ${number}`);
  for (const title of titles) await callTool(service, world.key, 'create_webinar', { title });
  const first = await callTool(service, world.key, 'list_webinars', { q: 'Row' });
  expect(first.data.data).toHaveLength(rowsMax);
  const cursor = first.data.pagination.nextCursor;
  const second = await callTool(service, world.key, 'list_webinars', { q: 'Row', cursor });
  const shown = [...first.data.data, ...second.data.data].map(({ title }: { title: string }) => title);
  expect(shown.toReversed()).toEqual(titles);
});

test('one answer lists all problems of the arguments, those of the tool itself among them', async () => {
  const problemsOf = async (tool: string, given: Record<string, unknown>) =>
    (await callTool(service, world.key, tool, given)).data.issues.map(
      (issue: { path: string }) => issue.path,
    );
  expect(await problemsOf('list_webinars', { limit: 21, foo: 1, status: 'zz' })).toEqual([
    'limit',
    'status',
    'foo',
  ]);
  expect(
    await problemsOf('update_webinar', {
      webinarId: world.webinar.id,
      idempotency_key: 1,
      if_match: 2,
      title: 3,
    }),
  ).toEqual(['idempotency_key', 'if_match', 'title']);
});

test('a result without pages has 20 rows at most: of many registrations the refused ones first', async () => {
  const { key, webinar } = world;
  const people = Array.from({ length: 25 }, (_, number) => ({
    name: `Person ${number}`,
    email: number < 23 ? `person${number}@example.com` : 'nonsense',
    sessionTime: webinar.sessionTime,
  }));
  const { data } = await callTool(service, key, 'bulk_register', {
    webinarId: webinar.id,
    registrations: people,
  });
  expect(data.summary).toEqual({ created: 23, existing: 0, failed: 2 });
  expect(data.data[0].error).toMatchObject({
    code: 'validation_failed',
    issues: [{ path: 'email', message: expect.any(String) }],
  });
  expect(data.data.map(({ index }: { index: number }) => index)).toEqual([
    23,
    24,
    ...Array.from({ length: 18 }, (_, index) => index),
  ]);
  const slots = await callTool(service, key, 'list_session_slots', { webinarId: webinar.id, limit: 21 });
  expect(slots.data.issues).toEqual([{ path: 'limit', message: 'At most 20.' }]);
  expect((await callTool(service, key, 'list_session_slots', { webinarId: webinar.id })).isError).toBe(false);
});

test('a summary of revenue has 20 groups at most, and says that there are more', () => {
  const tool = tools.find(({ name }) => name === 'get_revenue_summary')!;
  const sums = {
    currency: 'EUR',
    grossMinor: 1,
    refundsMinor: 0,
    chargebacksMinor: 0,
    netMinor: 1,
    purchases: 1,
  };
  const summary = (count: number) => {
    const groups = Array.from({ length: count }, (_, number) => ({
      key: `mail ${number}`,
      title: null,
      ...sums,
    }));
    const range = { from: '2026-11-01', to: '2026-11-02', timeZone: 'UTC' };
    const data = { ...range, totals: [], groups, hasMoreGroups: false };
    return (tool.shape({ data }) as { data: { groups: object[]; hasMoreGroups: boolean } }).data;
  };
  expect(summary(20)).toMatchObject({ groups: { length: 20 }, hasMoreGroups: false });
  expect(summary(21)).toMatchObject({ groups: { length: 20 }, hasMoreGroups: true });
});

test('a refusal names its code, its problems and the next step', async () => {
  const { key } = world;
  const wrong = await callTool(service, key, 'create_webinar', { colour: 'red' });
  expect(wrong.data).toMatchObject({
    code: 'validation_failed',
    issues: expect.arrayContaining([{ path: 'colour', message: 'Unknown field.' }]),
    nextStep: expect.stringContaining('issues'),
    requestId: expect.any(String),
  });
  expect(wrong.data.issues.map(({ path }: { path: string }) => path)).toContain('title');
  const missing = await callTool(service, key, 'get_webinar', { webinarId: world.accountId });
  expect(missing.data).toMatchObject({
    code: 'webinar_not_found',
    nextStep: expect.stringContaining('list'),
  });
  const cursor = await callTool(service, key, 'list_webinars', { cursor: 'foreign' });
  expect(cursor.data).toMatchObject({
    code: 'malformed_request',
    nextStep: expect.stringContaining('cursor'),
  });
  const draft = await callTool(service, key, 'create_webinar', { title: 'Draft' });
  const early = await callTool(service, key, 'publish_webinar', { webinarId: draft.data.data.id });
  expect(early.data).toMatchObject({ code: 'webinar_not_publishable', issues: expect.any(Array) });
});

test('the event catalogue and the API reference can be read', async () => {
  const { key } = world;
  const { response } = await callMcp(service, { id: 1, method: 'resources/list' }, { key });
  const uris: string[] = response.result.resources.map(({ uri }: { uri: string }) => uri);
  expect(uris).toEqual(
    expect.arrayContaining([
      'service://event-types',
      'service://event-types/registered',
      'service://api-reference',
    ]),
  );
  const read = async (uri: string): Promise<string> => {
    const answer = await callMcp(service, { id: 1, method: 'resources/read', params: { uri } }, { key });
    return answer.response.result.contents[0].text;
  };
  const types = JSON.parse(await read('service://event-types'));
  expect(
    types.find(({ type }: { type: string }) => type === 'watched_percent').params.properties,
  ).toHaveProperty('percent');
  expect(JSON.parse(await read('service://event-types/registered')).sample.event_type).toBe('registered');
  const reference = await read('service://api-reference');
  expect(reference).toContain(
    '- `POST /webinars/{webinarId}/registrations` Register an attendee (registrations:write)',
  );
  expect(reference).toContain('- 409 `session_full`: The session is full.');
  for (const uri of uris) expect((await read(uri)).length, uri).toBeLessThan(41_000);
});
