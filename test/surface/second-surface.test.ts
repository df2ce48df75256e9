// A second surface plays through the chain. Each call is compared with the same call over REST.
import { resumeAccount, suspendAccount } from '@service/composition';
import { accountWriter } from '@service/database';
import type { RateLimit } from '@service/keys';
import { keyScheme } from '@service/surface';
import { expect, test } from 'vitest';
import { callRest, createTestKey, createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { chainOptions } from '../support/chain.ts';
import { createToolSurface, type ToolCall } from './tool-surface.ts';

async function startBoth(rateLimit?: RateLimit) {
  const service = await testApi({ rateLimit });
  const world = await createTestWorld(service);
  const callTool = createToolSurface(chainOptions(service));
  return { service, world, callTool, [Symbol.asyncDispose]: () => service[Symbol.asyncDispose]() };
}

const requestId = 'the-same';

const overRest = (service: TestApi, route: string, key: string | undefined, body?: unknown) =>
  callRest(service, route, { ...(key && { key }), body, headers: { 'X-Request-Id': requestId } });

test('a call is refused with the same status and text as over REST', async () => {
  await using both = await startBoth();
  const { service, world, callTool } = both;
  const { accountId, key } = world;
  const { key: reader } = await createTestKey(service, accountId, { scopes: ['webinars:read'] });
  const { key: restOnly } = await createTestKey(service, accountId, { surfaces: ['rest'] });
  const { key: mcpOnly } = await createTestKey(service, accountId, { surfaces: ['mcp'] });
  const create = (credential?: string): ToolCall => ({ tool: 'create_webinar', credential, requestId });
  const missing = { webinarId: accountId };
  const cases: [string, ToolCall, string, string | undefined, unknown?][] = [
    ['no credential', create(), 'POST /webinars', undefined],
    [
      'an unknown credential',
      create(`svc_live_${'0'.repeat(32)}`),
      'POST /webinars',
      `svc_live_${'0'.repeat(32)}`,
    ],
    ['a credential without the scope', create(reader), 'POST /webinars', reader],
    ['a credential of another surface', create(restOnly), 'POST /webinars', mcpOnly],
    ['an unknown tool', { tool: 'fly', credential: key, requestId }, 'POST /fly', key],
    ['a missing field', create(key), 'POST /webinars', key, {}],
    [
      'an unknown field',
      { ...create(key), arguments: { title: 'New', colour: 'red' } },
      'POST /webinars',
      key,
      { title: 'New', colour: 'red' },
    ],
    [
      'an unknown id',
      { tool: 'get_webinar', arguments: missing, credential: key, requestId },
      `GET /webinars/${accountId}`,
      key,
    ],
  ];
  for (const [title, call, route, restKey, body] of cases) {
    const answer = await callTool(call);
    const expected = await overRest(service, route, restKey, body);
    expect(answer.status, title).toBeGreaterThan(400);
    expect([answer.status, answer.text], title).toEqual([expected.status, expected.text]);
  }

  const { database } = service.db;
  const write = (work: typeof suspendAccount) =>
    database.transaction((tx) => work(accountWriter(tx, { accountId, now: new Date() })));
  await write(suspendAccount);
  const suspended = await callTool(create(key));
  expect([suspended.status, suspended.text]).toEqual([
    403,
    (await overRest(service, 'POST /webinars', key)).text,
  ]);
  await write(resumeAccount);
  expect((await callTool({ ...create(key), arguments: { title: 'New' } })).status).toBe(201);
});

test('calls of all surfaces share the rate limit of the account', async () => {
  await using both = await startBoth({ requests: 2, windowSeconds: 10_000_000 });
  const { service, world, callTool } = both;
  const call: ToolCall = { tool: 'list_webinars', credential: world.key, requestId };
  expect((await callTool(call)).status).toBe(200);
  expect((await overRest(service, 'GET /webinars', world.key)).status).toBe(200);
  const refused = await callTool(call);
  const expected = await overRest(service, 'GET /webinars', world.key);
  expect([refused.status, refused.text]).toEqual([429, expected.text]);
});

test('an answer has the same text as over REST, and Activity shows the surface, the tool and the key of the call', async () => {
  await using both = await startBoth();
  const { service, world, callTool } = both;
  const { key, accountId } = world;
  const answer = await callTool({ tool: 'list_webinars', credential: key, requestId: 'listed' });
  expect([answer.status, answer.text]).toEqual([
    200,
    (await callRest(service, 'GET /webinars', { key })).text,
  ]);
  await callTool({ tool: 'create_webinar', credential: key, requestId: 'refused' });
  await callTool({ tool: 'list_webinars', requestId: 'stranger' });
  await service.api.service.activity.flush();
  const { pool } = service.db.database;
  const { rows } = await pool.query(
    `select surface, status, method, path, tool, key_label, replayed, request_id from activity.api_call
     where account_id = $1 and surface = 'mcp' order by id`,
    [accountId],
  );
  const shown = { surface: 'mcp', method: null, path: null, key_label: 'Test', replayed: false };
  expect(rows).toEqual([
    { ...shown, status: 200, tool: 'list_webinars', request_id: 'listed' },
    { ...shown, status: 422, tool: 'create_webinar', request_id: 'refused' },
  ]);
  const { rows: keys } = await pool.query('select requests from keys.api_key where account_id = $1', [
    accountId,
  ]);
  expect(keys).toEqual([{ requests: '3' }]);
});

test('a write with an idempotency key is done once, and its key is taken on every surface', async () => {
  await using both = await startBoth();
  const { service, world, callTool } = both;
  const { key, accountId } = world;
  const write: ToolCall = {
    tool: 'create_webinar',
    arguments: { title: 'Once' },
    credential: key,
    idempotencyKey: 'once',
  };
  const first = await callTool(write);
  const again = await callTool(write);
  expect([first.status, first.replayed]).toEqual([201, false]);
  expect(again).toEqual({ ...first, replayed: true });
  const headers = { 'Idempotency-Key': 'once' };
  const others = [
    await callTool({ ...write, arguments: { title: 'Twice' } }),
    await callRest(service, 'POST /webinars', { key, body: { title: 'Once' }, headers }),
  ];
  for (const { status, text } of others)
    expect([status, JSON.parse(text!).code]).toEqual([409, 'idempotency_key_reused']);
  const malformed = await callTool({ ...write, idempotencyKey: 'a b' });
  expect([malformed.status, JSON.parse(malformed.text!).code]).toEqual([400, 'malformed_idempotency_key']);
  const { rows } = await service.db.database.pool.query(
    `select count(*)::int as made from webinars.webinar where account_id = $1 and title in ('Once', 'Twice')`,
    [accountId],
  );
  expect(rows).toEqual([{ made: 1 }]);
});

test('a grant is a client like a key: its calls are in Activity with its label, and no key counts them', async () => {
  await using both = await startBoth();
  const { service, world } = both;
  const { key, accountId } = world;
  const options = chainOptions(service);
  const credentialId = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';
  const callTool = createToolSurface({
    ...options,
    credentials: keyScheme(async (request) => {
      const admission = await options.credentials.admit(request);
      if (!admission) return null;
      const grant = { kind: 'grant', credentialId, label: 'Zapier' } as const;
      return { ...admission, principal: { ...admission.principal, ...grant } };
    }),
  });
  expect((await callTool({ tool: 'list_webinars', credential: key })).status).toBe(200);
  expect(JSON.parse((await callTool({ tool: 'get_me', credential: key })).text!).data.key).toMatchObject({
    id: credentialId,
    label: 'Zapier',
  });
  await service.api.service.activity.flush();
  const { pool } = service.db.database;
  const { rows } = await pool.query(
    'select distinct key_id, key_label from activity.api_call where account_id = $1',
    [accountId],
  );
  expect(rows).toEqual([{ key_id: credentialId, key_label: 'Zapier' }]);
  const { rows: keys } = await pool.query('select requests from keys.api_key where account_id = $1', [
    accountId,
  ]);
  expect(keys).toEqual([{ requests: '0' }]);
});
