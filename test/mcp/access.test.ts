// Every tool without scopes, with its own, with all others and with all; on things of its own, of another account, and archived ones.
import { allScopes, type Scope } from '@service/catalogue';
import { toolCatalogue } from '@service/composition';
import { createTools, type Tool } from '@service/mcp';
import { listRoutes, type Route } from '@service/rest';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  callRest,
  createTestAccount,
  createTestKey,
  createTestToken,
  testApi,
  type TestApi,
} from '../support/api.ts';
import { createEverything, type Everything } from '../support/everything.ts';
import { callMcp, callTool, type McpAnswer } from '../support/mcp.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { argumentsOf, idsOf, namesARecord } from '../support/tool-arguments.ts';

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

const isAllowed = ({ scopes }: Tool, granted: readonly Scope[]): boolean =>
  scopes.every((scope) => granted.includes(scope));

const call = (tool: Tool, world: Everything, key: string, path: '/mcp' | '/mcp/connect' = '/mcp') =>
  callMcp(
    service,
    { id: 1, method: 'tools/call', params: { name: tool.name, arguments: argumentsOf(tool, routes, world) } },
    { key, path, headers: { 'X-Request-Id': 'same' } },
  );

interface Credential {
  name: string;
  path: '/mcp' | '/mcp/connect';
  create(accountId: string, scopes: readonly Scope[]): Promise<string>;
  /** The answer without a scope of the tool. A key without it is like no key. */
  expectRefused(answer: McpAnswer, tool: Tool, title: string): Promise<void>;
}

const credentials: Credential[] = [
  {
    name: 'a key',
    path: '/mcp',
    async create(accountId, scopes) {
      return (await createTestKey(service, accountId, { scopes, surfaces: ['mcp'] })).key;
    },
    async expectRefused(answer, _tool, title) {
      const nothing = await callRest(service, 'GET /me', { headers: { 'X-Request-Id': 'same' } });
      expect([answer.status, answer.text], title).toEqual([401, nothing.text]);
    },
  },
  {
    name: 'an access token',
    path: '/mcp/connect',
    async create(accountId, scopes) {
      return (await createTestToken(service, accountId, { scopes })).token;
    },
    async expectRefused(answer, { scopes }, title) {
      expect([answer.status, JSON.parse(answer.text).details], title).toEqual([403, { scopes }]);
      expect(answer.headers.get('www-authenticate'), title).toContain(`scope="${scopes.join(' ')}"`);
    },
  },
];

/** Lists the tools with some scopes, and calls those that are asked for, on things of its own, of another account, and archived ones. */
async function callTools(
  kind: Credential,
  { mine, archived, theirs }: Worlds,
  { scopes, isAsked = () => true }: { scopes: readonly Scope[]; isAsked?: (tool: Tool) => boolean },
) {
  const key = await kind.create(mine.accountId, scopes);
  const ofArchived = await kind.create(archived.accountId, scopes);
  const listed = await callMcp(service, { id: 1, method: 'tools/list' }, { key, path: kind.path });
  expect(listed.response.result.tools.map(({ name }: Tool) => name)).toEqual(
    tools.filter((tool) => isAllowed(tool, scopes)).map(({ name }) => name),
  );
  const callOne = async (tool: Tool): Promise<void> => {
    const name = `${tool.name} with ${kind.name}, ${scopes.join() || 'no scope'}`;
    if (!isAllowed(tool, scopes))
      return kind.expectRefused(await call(tool, mine, key, kind.path), tool, name);
    if (!namesARecord(tool)) return;
    const ofWebinar = 'webinarId' in argumentsOf(tool, routes, archived);
    const answers = [
      await call(tool, theirs, key, kind.path),
      ...(ofWebinar ? [await call(tool, archived, ofArchived, kind.path)] : []),
    ];
    for (const answer of answers) {
      const { code } = JSON.parse(answer.response.result.content[0].text);
      expect([answer.status, answer.response.result.isError, code], name).toEqual([
        200,
        true,
        expect.stringContaining('not_found'),
      ]);
    }
  };
  await Promise.all(tools.filter(isAsked).map(callOne));
}

interface Worlds {
  mine: Everything;
  archived: Everything;
  theirs: Everything;
}

test('a key and an access token call exactly the tools of their scopes, and list exactly those', async () => {
  const mine = await createEverything(service, receiver.url);
  const archived = await createEverything(service, receiver.url);
  const theirs = await createEverything(service, receiver.url);
  await callRest(service, `POST /webinars/${archived.ids['webinarId']}/archive`, { key: archived.key });
  const worlds = { mine, archived, theirs };
  for (const kind of credentials) {
    for (const scopes of [[], allScopes]) await callTools(kind, worlds, { scopes });
    for (const scope of allScopes) {
      const others = allScopes.filter((other) => other !== scope);
      // No other scope replaces one of a tool, and one scope alone does not reach the records of others.
      await callTools(kind, worlds, { scopes: others, isAsked: (tool) => tool.scopes.includes(scope) });
      await callTools(kind, worlds, { scopes: [scope], isAsked: (tool) => isAllowed(tool, [scope]) });
    }
  }
  // Nothing was touched on the way.
  for (const world of [mine, theirs]) {
    for (const tool of tools.filter(({ isWrite }) => !isWrite))
      expect((await call(tool, world, world.key)).response.result.isError, tool.name).toBeUndefined();
  }
});

test('a key of another surface calls and lists no tool', async () => {
  const world = await createEverything(service, receiver.url);
  const { key } = await createTestKey(service, world.accountId, { surfaces: ['rest'] });
  expect((await callMcp(service, { id: 1, method: 'tools/list' }, { key })).status).toBe(401);
  for (const tool of tools) expect((await call(tool, world, key)).status, tool.name).toBe(401);
});

test('an optional id of another account finds nothing', async () => {
  const mine = await createEverything(service, receiver.url);
  const theirs = await createEverything(service, receiver.url);
  const tried: string[] = [];
  for (const tool of tools) {
    const { properties, required = [] } = tool.listed.inputSchema;
    const optional = Object.keys(properties as object).filter(
      (name) => name.endsWith('Id') && !(required as string[]).includes(name),
    );
    for (const name of optional) {
      const id = idsOf(theirs)[name];
      expect(id, `${tool.name} ${name}`).toBeDefined();
      const given = { ...argumentsOf(tool, routes, mine), [name]: id };
      const { isError, data } = await callTool(service, mine.key, tool.name, given);
      const rows = isError
        ? data.code.replace(/^\w+_not_found$/, 'not found')
        : (data.data.totals ?? data.data);
      expect(['not found', []], `${tool.name} ${name}`).toContainEqual(rows);
      tried.push(`${tool.name} ${name}`);
    }
  }
  expect(tried).toEqual(expect.arrayContaining(['list_deliveries ruleId', 'list_executions registrationId']));
});

test('every tool passes with exactly its scopes, its result is as its schema says and contains no secret, and a repeated write does nothing more', async () => {
  const account = await createTestAccount(service);
  const reads = await createEverything(service, receiver.url, account);
  const ajv = new Ajv2020({ strict: false });
  for (const tool of tools) {
    // Writes change their rows, so each has a webinar of its own.
    const world = tool.isWrite ? await createEverything(service, receiver.url, account) : reads;
    if (tool.name === 'create_automation_recovery') await cancelRecovery(world);
    const scopes = tool.scopes.length > 0 ? tool.scopes : [allScopes[0]!];
    const { key } = await createTestKey(service, world.accountId, { scopes, surfaces: ['mcp'] });
    const given = {
      ...argumentsOf(tool, routes, world),
      ...(tool.isWrite && { idempotency_key: world.ids['webinarId'] }),
    };
    const { isError, data, response, text } = await callTool(service, key, tool.name, given);
    expect([isError, isError && data], tool.name).toEqual([false, false]);
    expect(response.result.content).toEqual([{ type: 'text', text: JSON.stringify(data) }]);
    if (tool.listed.outputSchema) {
      const validate = ajv.compile(tool.listed.outputSchema);
      validate(data);
      expect(validate.errors, tool.name).toBeNull();
    }
    expect(text, tool.name).not.toMatch(secretPattern);
    if (!tool.isWrite) continue;
    const before = await countRows(world.accountId);
    const again = await callTool(service, key, tool.name, given);
    expect([again.data, again.headers.get('idempotent-replayed')], tool.name).toEqual([data, 'true']);
    expect(await countRows(world.accountId), tool.name).toEqual(before);
    // A client may repeat a call of such a tool without asking.
    if (tool.listed.annotations['idempotentHint'] !== true) continue;
    await callTool(service, key, tool.name, argumentsOf(tool, routes, world));
    expect(await countRows(world.accountId), `${tool.name} without its key`).toEqual(before);
  }
});

/** The rows of an account in each table. Activity records every call. */
async function countRows(accountId: string): Promise<Record<string, number>> {
  const { pool } = service.db.database;
  const { rows: tables } = await pool.query<{ name: string }>(
    `select attrelid::regclass::text as name from pg_attribute join pg_class on pg_class.oid = attrelid
     where attname = 'account_id' and atttypid = 'uuid'::regtype and relkind in ('r', 'p') and not relispartition
       and relnamespace <> 'activity'::regnamespace
     order by 1`,
  );
  expect(tables.length).toBeGreaterThan(20);
  const counts = tables.map(
    ({ name }) => `select '${name}' as name, count(*)::int from ${name} where account_id = $1`,
  );
  const { rows } = await pool.query<{ name: string; count: number }>(counts.join(' union all '), [accountId]);
  return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
}

/** A signing secret, an API key, an access token, a join or click link, and the names of fields with them. */
const secretPattern = /whsec_|svc_(live|at)_|\/(room|r)\/|joinUrl|clickUrl|"secret\\?"/;

/** There is one at a time. */
async function cancelRecovery({ key, ids }: Everything): Promise<void> {
  const path = `/webinars/${ids['webinarId']}/automations/${ids['ruleId']}/recoveries/${ids['automations/recoveries']}/cancel`;
  expect((await callRest(service, `POST ${path}`, { key })).status).toBe(200);
}
