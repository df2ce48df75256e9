// To have revenue sent to a URL, a client needs revenue:read as well: every trigger, with each scope alone, on every path and tool.
// The triggers come from the event catalogue, the paths and tools from their tables.
import { eventCatalogue } from '@service/automations';
import { allScopes } from '@service/catalogue';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { callRest, createTestToken } from '../support/api.ts';
import { pathOf } from '../support/everything.ts';
import { callMcp } from '../support/mcp.ts';
import { argumentsOf } from '../support/tool-arguments.ts';
import { createScopeWorld, moneyTypes, type ScopeWorld } from './scope-world.ts';

let { service, echo, world, routes, tools, keyOf, rulesAt, rest, callTool } = {} as ScopeWorld;
let close: () => PromiseLike<void>;
beforeAll(async () => {
  const made = await createScopeWorld();
  ({ service, echo, world, routes, tools, keyOf, rulesAt, rest, callTool } = made);
  close = () => made[Symbol.asyncDispose]();
});
afterAll(() => close());

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
  const { code: unknown } = (await rest(`POST ${rulesAt}`, 'svc_live_unknown')).json;
  // The route and the tool refuse every other scope, so that these are tried with one case of each kind.
  const withAllScopes = new Set(
    [true, false].map((isRevenue) => cases.find((one) => one.isRevenue === isRevenue)!),
  );
  for (const one of cases) {
    const { draft, isRevenue } = one;
    const created = { name: 'Rule', ...draft, ...webhook(`${echo.url}/other`) };
    for (const scope of withAllScopes.has(one) ? allScopes : (['automations:write'] as const)) {
      const key = keyOf(scope);
      const isAllowed = scope === 'automations:write' && !isRevenue;
      const answers = [
        await rest(`POST ${rulesAt}`, key, created),
        await callTool('create_automation', key, { webinarId, ...created }),
        await rest(`PATCH ${rulesAt}/${ruleId}`, key, draft),
        await callTool('update_automation', key, { webinarId, ruleId, ...draft }),
      ];
      const title = `${JSON.stringify(draft)} with ${scope}`;
      expect(
        answers.map(({ status }) => status),
        title,
      ).toEqual(isAllowed ? [201, 200, 200, 200] : [401, 401, 401, 401]);
      if (!isAllowed) for (const { text } of answers) expect(JSON.parse(text).code).toBe(unknown);
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

/** Writes that neither change a rule nor have anything sent: they end its sending. */
const endings = new Set(
  ['delete', 'stopSending', 'previewRecovery', 'cancelRecovery'].map((name) => `automations.rules.${name}`),
);

test('without revenue:read nothing leads the webhooks of a rule about revenue to another address, starts them or shows a new secret', async () => {
  const trusted = `${echo.url}/trusted`;
  const create = async (draft: object): Promise<string> =>
    (await rest(`POST ${rulesAt}`, world.key, { name: 'Shop', ...draft, ...webhook(trusted) })).json.data.id;
  const purchase = { trigger: { type: 'purchase' } };
  const former = await create(purchase);
  await rest(`PATCH ${rulesAt}/${former}`, world.key, { trigger: { type: 'registered' } });
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
    const before = (await rest(`GET ${rulesAt}/${ruleId}`, world.key)).json.data;
    for (const { name, procedure, send } of changesOfRules()) {
      if (procedure === 'automations.rules.update')
        for (const edit of edits)
          expect((await send(key, ids, edit)).status, `${name} ${JSON.stringify(edit)}`).toBe(401);
      else if (!endings.has(procedure)) expect((await send(key, ids)).status, name).toBe(401);
    }
    expect((await rest(`GET ${rulesAt}/${ruleId}`, world.key)).json.data).toEqual(before);
    const { data } = (await rest(`GET ${rulesAt}/${ruleId}/deliveries`, world.key)).json;
    expect(data, 'the test of a rule about revenue was sent').toEqual([]);
    expect((await rest(`DELETE ${rulesAt}/${ruleId}`, key)).status, 'deleting sends nothing').toBe(204);
  }
});

test('a refusal for what a body or a rule needs is the one of an unknown key, and a kept answer is not sent', async () => {
  const body = { name: 'Shop', trigger: { type: 'refund' }, ...webhook(echo.url) };
  const ask = (route: string, key: string, given: object) => {
    const headers = { 'Idempotency-Key': route.split(' ')[0]!, 'X-Request-Id': 'same' };
    return callRest(service, route, { key, body: given, headers });
  };
  const made = await ask(`POST ${rulesAt}`, world.key, body);
  expect(made.status).toBe(201);
  const unknown = await ask(`POST ${rulesAt}`, 'svc_live_unknown', body);
  const key = keyOf('automations:write');
  const edit = `PATCH ${rulesAt}/${made.json.data.id}`;
  for (const refused of [await ask(`POST ${rulesAt}`, key, body), await ask(edit, key, { name: 'Other' })]) {
    expect([refused.status, refused.text]).toEqual([401, unknown.text]);
    const shown = ({ headers: given }: typeof refused) => [...given].filter(([name]) => name !== 'date');
    expect(shown(refused)).toEqual(shown(unknown));
  }
  // The refusal is not kept for the key either.
  expect((await ask(edit, world.key, { name: 'Other' })).status).toBe(200);
});

test('a connector without revenue:read gets the scope that it needs, and the other calls of its batch are answered', async () => {
  const made = await rest(`POST ${rulesAt}`, world.key, {
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
