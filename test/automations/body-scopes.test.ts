// Who may send revenue to a URL, and who may read it and the data of attendees in the body of a delivery: every trigger, with each
// scope alone, on every path and tool. The triggers come from the event catalogue, the paths and tools from their tables.
import { eventCatalogue } from '@service/automations';
import { allScopes, type Scope } from '@service/catalogue';
import { toolCatalogue } from '@service/composition';
import { createTools, type Tool } from '@service/mcp';
import { listRoutes, type Route } from '@service/rest';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRest, createTestKey, createTestToken, testApi, type TestApi } from '../support/api.ts';
import { eventually } from '../support/eventually.ts';
import { createEverything, pathOf, type Everything } from '../support/everything.ts';
import { writeAs } from '../support/factories.ts';
import { callMcp } from '../support/mcp.ts';
import { startReceiver, type Receiver } from '../support/receiver.ts';
import { argumentsOf } from '../support/tool-arguments.ts';
import { testWorker } from '../support/worker.ts';

let service: TestApi;
let echo: Receiver;
let world: Everything;
let routes: Route[];
let tools: Tool[];
const keys = new Map<string, string>();

beforeAll(async () => {
  service = await testApi();
  // A receiver may repeat the body in its answer, which is stored too.
  echo = await startReceiver((_request, response) => response.end(echo.received.at(-1)!.body));
  world = await createEverything(service, echo.url);
  routes = listRoutes(service.api.service.router);
  tools = createTools(service.api.service.router, toolCatalogue);
  for (const scopes of [
    ...allScopes.map((scope) => [scope]),
    readBodies,
    ['automations:read', 'revenue:read'],
  ])
    keys.set(
      scopes.join(),
      (await createTestKey(service, world.accountId, { scopes: scopes as Scope[] })).key,
    );
});
afterAll(async () => {
  await echo[Symbol.asyncDispose]();
  await service[Symbol.asyncDispose]();
});

const readBodies = ['automations:read', 'registrations:read'];
const rulesAt = () => `/webinars/${world.ids['webinarId']}/automations`;
const keyOf = (...scopes: Scope[]): string => keys.get(scopes.join())!;
const rest = (route: string, key: string, body?: object) => callRest(service, route, { key, body });
const callTool = (name: string, key: string, given: object) =>
  callMcp(service, { id: 1, method: 'tools/call', params: { name, arguments: given } }, { key });

const hasAmount = ({ sample }: (typeof eventCatalogue)[number]): boolean =>
  Object.keys(sample.event_data).some((name) => /amount|currency|revenue/i.test(name));
const moneyTypes = eventCatalogue.filter(hasAmount).map(({ type }) => type as string);

interface Case {
  draft: { trigger: { type: string; params: object }; conditions?: object[] };
  isRevenue: boolean;
}

interface ParamSchema {
  type?: string;
  enum?: string[];
  minimum?: number;
  default?: unknown;
}

/** The values that a case gives to a param: of a closed set every event with an amount, and one other. */
function valuesOf({ type, enum: choices, minimum = 1 }: ParamSchema): unknown[] {
  if (choices)
    return [
      choices.findLast((one) => !moneyTypes.includes(one))!,
      ...choices.filter((one) => moneyTypes.includes(one)),
    ];
  if (type === 'integer') return [minimum];
  return [type === 'array' ? ['word'] : world.ids['interactionId']];
}

function casesOf({ type, paramsSchema }: (typeof eventCatalogue)[number]): Case[] {
  const properties = Object.entries((paramsSchema['properties'] ?? {}) as Record<string, ParamSchema>);
  const required = (paramsSchema['required'] ?? []) as string[];
  const values = properties.map(([name, schema]) => [name, valuesOf(schema)] as const);
  const least = Object.fromEntries(
    values.filter(([name]) => required.includes(name)).map(([name, [first]]) => [name, first]),
  );
  const variants = [
    least,
    ...values.flatMap(([name, [, ...others]]) => others.map((other) => ({ ...least, [name]: other }))),
  ];
  return variants.map((params) => ({
    draft: { trigger: { type, params } },
    isRevenue: [type, ...Object.values(params)].some((value) => moneyTypes.includes(value as string)),
  }));
}

const allCases = (): Case[] => [
  ...eventCatalogue.flatMap(casesOf),
  {
    draft: {
      trigger: { type: 'registered', params: {} },
      conditions: [{ field: 'purchased', operator: 'eq', value: true }],
    },
    isRevenue: true,
  },
];

const webhook = (url: string) => ({ action: { type: 'webhook', url } });

test('a rule whose webhooks say something about purchases is made or changed only with revenue:read as well', async () => {
  const { webinarId, ruleId } = world.ids;
  const cases = allCases();
  expect(moneyTypes.length).toBeGreaterThan(1);
  expect(cases.filter(({ isRevenue }) => isRevenue).length).toBeGreaterThan(moneyTypes.length);
  const nobody = (await rest(`POST ${rulesAt()}`, 'svc_live_unknown')).json.code;
  for (const { draft, isRevenue } of cases) {
    const created = { name: 'Rule', ...draft, ...webhook(`${echo.url}/other`) };
    for (const scope of allScopes) {
      const key = keyOf(scope);
      const isAllowed = scope === 'automations:write' && !isRevenue;
      const answers = [
        await rest(`POST ${rulesAt()}`, key, created),
        await callTool('create_automation', key, { webinarId, ...created }),
        await rest(`PATCH ${rulesAt()}/${ruleId}`, key, draft),
        await callTool('update_automation', key, { webinarId, ruleId, ...draft }),
      ];
      const title = `${JSON.stringify(draft)} with ${scope}`;
      expect(
        answers.map(({ status }) => status),
        title,
      ).toEqual(isAllowed ? [201, 200, 200, 200] : [401, 401, 401, 401]);
      if (!isAllowed) for (const { text } of answers) expect(JSON.parse(text).code).toBe(nobody);
      else
        expect(
          answers.map(({ text }) => /isError/.test(text)),
          title,
        ).toEqual([false, false, false, false]);
    }
  }
});

test('a webhook subscription has no event with an amount, so it needs automations:write alone', async () => {
  for (const { type, subscribable } of eventCatalogue) {
    const body = { url: echo.url, eventTypes: [type] };
    const at = `POST /webinars/${world.ids['webinarId']}/webhooks`;
    expect((await rest(at, keyOf('automations:write'), body)).status, type).toBe(subscribable ? 201 : 422);
    expect(subscribable && moneyTypes.includes(type), type).toBe(false);
  }
});

/** Routes and tools that take the id of a rule, with what they do to it. */
const changesOfRules = () => [
  ...routes
    .filter(({ type, template }) => type === 'mutation' && template.includes('{ruleId}'))
    .map((route) => {
      const { method, template } = route;
      const send = (key: string, ids: Record<string, string>, body?: object) =>
        rest(
          `${method} ${pathOf(template, ids)}`,
          key,
          body ?? (world.bodies[`${method} ${template}`] as object),
        );
      return { name: `${method} ${template}`, procedure: route.procedure, send };
    }),
  ...tools
    .filter(({ listed, isWrite }) => isWrite && 'ruleId' in (listed.inputSchema['properties'] as object))
    .map((tool) => {
      const send = (key: string, ids: Record<string, string>, body?: object) =>
        callTool(tool.name, key, { ...argumentsOf(tool, routes, { ...world, ids }), ...body });
      return { name: tool.name, procedure: tool.procedure.procedure, send };
    }),
];

test('without revenue:read nothing leads the webhooks of a rule about revenue to another address, nor starts them', async () => {
  const trusted = `${echo.url}/trusted`;
  const create = async (draft: object): Promise<string> =>
    (await rest(`POST ${rulesAt()}`, world.key, { name: 'Shop', ...draft, ...webhook(trusted) })).json.data
      .id;
  const purchase = { trigger: { type: 'purchase' } };
  const former = await create(purchase);
  await rest(`PATCH ${rulesAt()}/${former}`, world.key, { trigger: { type: 'registered' } });
  const ruleIds = [await create(purchase), await create({ ...purchase, enabled: false }), former];
  const edits = [
    { name: 'Other' },
    { enabled: true },
    webhook(`${echo.url}/evil`),
    { trigger: { type: 'registered' } },
    { conditions: [] },
  ];
  const key = keyOf('automations:write');

  for (const ruleId of ruleIds) {
    const ids = { ...world.ids, ruleId };
    const before = (await rest(`GET ${rulesAt()}/${ruleId}`, world.key)).json.data;
    for (const { name, procedure, send } of changesOfRules()) {
      if (procedure === 'automations.rules.update')
        for (const edit of edits)
          expect((await send(key, ids, edit)).status, `${name} ${JSON.stringify(edit)}`).toBe(401);
      else if (procedure !== 'automations.rules.delete') await send(key, ids);
    }
    const {
      secretLast4: _,
      secretRotatedAt: __,
      updatedAt: ___,
      ...after
    } = (await rest(`GET ${rulesAt()}/${ruleId}`, world.key)).json.data;
    expect(before).toMatchObject(after);
    const { data } = (await rest(`GET ${rulesAt()}/${ruleId}/deliveries`, world.key)).json;
    expect(data, 'the test of a rule about revenue was sent').toEqual([]);
  }
});

test('a refusal for what a body or a rule needs is the one of an unknown key, and a kept answer is not sent', async () => {
  const body = { name: 'Shop', trigger: { type: 'refund' }, ...webhook(echo.url) };
  const ask = (route: string, key: string, given: object) => {
    const headers = { 'Idempotency-Key': route.split(' ')[0]!, 'X-Request-Id': 'same' };
    return callRest(service, route, { key, body: given, headers });
  };
  const made = await ask(`POST ${rulesAt()}`, world.key, body);
  expect(made.status).toBe(201);
  const unknown = await ask(`POST ${rulesAt()}`, 'svc_live_unknown', body);
  const key = keyOf('automations:write');
  const edit = `PATCH ${rulesAt()}/${made.json.data.id}`;
  for (const refused of [
    await ask(`POST ${rulesAt()}`, key, body),
    await ask(edit, key, { name: 'Other' }),
  ]) {
    expect([refused.status, refused.text]).toEqual([401, unknown.text]);
    const shown = ({ headers: given }: typeof refused) => [...given].filter(([name]) => name !== 'date');
    expect(shown(refused)).toEqual(shown(unknown));
  }
  // The refusal is not kept for the key either.
  expect((await ask(edit, world.key, { name: 'Other' })).status).toBe(200);
});

test('a connector without revenue:read is told to ask for it, and the other calls of its batch are answered', async () => {
  const made = await rest(`POST ${rulesAt()}`, world.key, {
    name: 'Shop',
    trigger: { type: 'purchase' },
    ...webhook(echo.url),
  });
  const { token } = await createTestToken(service, world.accountId, { scopes: ['automations:write'] });
  const update = (given: object) => ({
    id: 1,
    method: 'tools/call',
    params: { name: 'update_automation', arguments: { webinarId: world.ids['webinarId'], ...given } },
  });
  const onStored = update({ ruleId: made.json.data.id, name: 'Other' });
  const connector = { key: token, path: '/mcp/connect' as const };
  for (const message of [onStored, update({ ruleId: world.ids['ruleId'], trigger: { type: 'refund' } })]) {
    const answer = await callMcp(service, message, connector);
    expect(answer.status).toBe(403);
    expect(answer.headers.get('www-authenticate')).toContain('scope="automations:write revenue:read"');
  }
  for (const credential of [connector, { key: keyOf('automations:write') }]) {
    const { responses } = await callMcp(service, [onStored, { id: 2, method: 'ping' }], credential);
    expect(responses).toMatchObject([
      { id: 1, error: { code: -32000 } },
      { id: 2, result: {} },
    ]);
  }
});

const canary = {
  name: 'Canary Person',
  email: 'canary@example.com',
  utm: 'canary-campaign',
  amount: 98_765_432,
};

/** A delivery about the canary for each trigger, and for the time since each event with an amount. The receiver repeats them. */
async function sendCanaries(): Promise<Map<string, { isRevenue: boolean }>> {
  const { deliveries } = service.api.service;
  const { pool } = service.db.database;
  const found = await pool.query('select endpoint_id from automations.rule where id = $1', [
    world.ids['ruleId'],
  ]);
  const endpointId: string = found.rows[0].endpoint_id;
  const samples = eventCatalogue.flatMap(({ type, sample, paramsSchema }) => {
    const sources = Object.keys(paramsSchema['properties'] ?? {}).includes('event') ? ['joined', ...moneyTypes] : [undefined];
    return sources.map((sourceEvent) => {
      const isRevenue = moneyTypes.includes(type) || moneyTypes.includes(sourceEvent ?? '');
      const money = isRevenue && { amountMinor: canary.amount };
      const event_data = { ...sample.event_data, ...money, ...(sourceEvent && { sourceEvent }) };
      const attendee = { ...sample.attendee, name: canary.name, email: canary.email };
      return { type, isRevenue, body: JSON.stringify({ ...sample, attendee, event_data }) };
    });
  });
  const drafts = samples.map(({ type, body }) => ({ endpointId, eventType: type, body }));
  const ids = await writeAs(service.db.database, world.accountId, (tx) => deliveries.enqueue(tx, drafts));
  await using _worker = await testWorker(service.db.url);
  await eventually('the canaries to be delivered', async () => {
    const { rows } = await pool.query(
      'select count(*)::int from deliveries.attempt where delivery_id = any($1)',
      [ids],
    );
    return rows[0].count === ids.length;
  });
  return new Map(ids.map((id, index) => [id, { isRevenue: samples[index]!.isRevenue }]));
}

/** Registers the canary, so that the rule, whose conditions ask for its campaign and its purchases, is evaluated for it. */
async function evaluateCanary(): Promise<void> {
  const conditions = [
    { field: 'utm.campaign', operator: 'neq', value: 'other' },
    { field: 'purchased', operator: 'eq', value: false },
  ];
  await rest(`PATCH ${rulesAt()}/${world.ids['ruleId']}`, world.key, {
    trigger: { type: 'registered' },
    conditions,
  });
  const person = world.bodies['POST /webinars/{webinarId}/registrations'] as object;
  const { name, email } = canary;
  const body = { ...person, name, email, utm: { campaign: canary.utm } };
  const made = await rest(`POST /webinars/${world.ids['webinarId']}/registrations`, world.key, body);
  expect([made.status, made.text]).toEqual([201, expect.stringContaining(canary.utm)]);
}

test('each scope alone reads neither revenue nor data of attendees in a stored body, on any path or with any tool', async () => {
  await evaluateCanary();
  const sent = await sendCanaries();
  const isReading = ({ type, template }: Route): boolean => type === 'query' || template.endsWith('/preview');
  const texts: { title: string; text: string; scopes: string }[] = [];
  for (const [scopes, key] of keys) {
    const note = (title: string, { text }: { text: string }) => texts.push({ title, text, scopes });
    for (const deliveryId of sent.keys()) {
      const ids = { ...world.ids, automations: deliveryId };
      for (const route of routes.filter((one) => isReading(one) && one.template.includes('{ruleId}'))) {
        if (deliveryId !== sent.keys().next().value && !route.template.includes('{deliveryId}')) continue;
        const body = world.bodies[`${route.method} ${route.template}`] as object | undefined;
        note(
          `${route.method} ${route.template}`,
          await rest(`${route.method} ${pathOf(route.template, ids)}`, key, body),
        );
      }
      for (const tool of tools.filter(
        ({ isWrite, listed }) => !isWrite && 'deliveryId' in (listed.inputSchema['properties'] as object),
      ))
        note(tool.name, await callTool(tool.name, key, argumentsOf(tool, routes, { ...world, ids })));
    }
    for (const route of routes.filter((one) => isReading(one) && !one.template.includes('{ruleId}'))) {
      const body = world.bodies[`${route.method} ${route.template}`] as object | undefined;
      note(
        `${route.method} ${route.template}`,
        await rest(`${route.method} ${pathOf(route.template, world.ids)}`, key, body),
      );
    }
    for (const tool of tools.filter(({ isWrite }) => !isWrite))
      note(tool.name, await callTool(tool.name, key, argumentsOf(tool, routes, world)));
  }
  for (const { title, text, scopes } of texts) {
    const readsPeople = /registrations:/.test(scopes);
    const leaks = [
      String(canary.amount),
      ...(readsPeople ? [] : [canary.name, canary.email, canary.utm]),
    ].filter((secret) => text.includes(secret));
    expect(leaks, `${title} with ${scopes}`).toEqual([]);
    if (!/revenue:/.test(scopes) && /execution/i.test(title))
      expect(text, `${title} with ${scopes}`).not.toContain('"purchased"');
  }
});

test('a body is read with automations:read and registrations:read, and with revenue:read if it is about revenue', async () => {
  const sent = await sendCanaries();
  const read = async (deliveryId: string, key: string) =>
    (await rest(`GET ${rulesAt()}/${world.ids['ruleId']}/deliveries/${deliveryId}`, key)).json.data;
  for (const [deliveryId, { isRevenue }] of sent) {
    const all = await read(deliveryId, world.key);
    expect(JSON.parse(all.body).attendee.email).toBe(canary.email);
    const { body, responseSnippet, attemptLog } = await read(deliveryId, keys.get(readBodies.join())!);
    const [attempt] = attemptLog;
    const shown = isRevenue
      ? [null, null, null]
      : [all.body, all.responseSnippet, all.attemptLog[0].responseSnippet];
    expect([body, responseSnippet, attempt.responseSnippet]).toEqual(shown);
    expect(await read(deliveryId, keys.get('automations:read,revenue:read')!)).toMatchObject({
      body: null,
      status: 'success',
    });
  }
});
