import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import {
  callRest,
  createTestKey,
  createTestWorld,
  testApi,
  type TestApi,
  type TestWorld,
} from '../support/api.ts';
import { activityRows, callMcp, callModern, initialize, modernMeta, postMcp } from '../support/mcp.ts';

let service: TestApi;
let world: TestWorld;
beforeAll(async () => {
  service = await testApi();
});
afterAll(() => service[Symbol.asyncDispose]());
beforeEach(async () => {
  world = await createTestWorld(service);
});

const rows = () => activityRows(service, world.accountId);

test.each(['2025-11-25', '2025-06-18', '2025-03-26'])(
  'a client of version %s gets its version',
  async (version) => {
    const { response, status } = await callMcp(service, initialize(version), {
      key: world.key,
      headers: { 'MCP-Protocol-Version': version },
    });
    expect(status).toBe(200);
    expect(response.result).toMatchObject({
      protocolVersion: version,
      serverInfo: { name: 'webinars' },
      capabilities: { tools: {}, resources: {} },
      instructions: expect.stringContaining('list_webinars'),
    });
  },
);

test('a client of an unknown version is offered the newest one with a handshake', async () => {
  const { response } = await callMcp(service, initialize('2019-01-01'), { key: world.key });
  expect(response.result.protocolVersion).toBe('2025-11-25');
  const later = await callMcp(
    service,
    { id: 1, method: 'tools/list' },
    { key: world.key, headers: { 'MCP-Protocol-Version': '2019-01-01' } },
  );
  expect([later.status, later.response.error?.code]).toEqual([400, -32022]);
});

test('a client of version 2026-07-28 needs no handshake', async () => {
  const { key } = world;
  const discovered = await callModern(service, { id: 'a', method: 'server/discover' }, { key });
  expect(discovered.response).toMatchObject({
    id: 'a',
    result: { resultType: 'complete', supportedVersions: ['2026-07-28'], capabilities: { tools: {} } },
  });
  const called = await callModern(
    service,
    { id: 'b', method: 'tools/call', params: { name: 'get_me' } },
    { key },
  );
  expect(called.response.result).toMatchObject({
    resultType: 'complete',
    structuredContent: { data: { key: { label: 'Test' } } },
    _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'webinars' } },
  });
  const unknown = await callModern(service, { id: 'c', method: 'ping' }, { key });
  expect([unknown.status, unknown.response.error?.code]).toEqual([404, -32601]);
});

test('headers of version 2026-07-28 that are missing or disagree with the body are refused', async () => {
  const { key } = world;
  const message = { id: 1, method: 'tools/call', params: { name: 'get_me' } };
  const cases: [Record<string, string>, number][] = [
    [{ 'Mcp-Method': 'tools/list' }, -32020],
    [{ 'Mcp-Name': 'list_webinars' }, -32020],
    [{ 'MCP-Protocol-Version': '2025-11-25' }, -32020],
    [{ 'Mcp-Name': '=?base64?!!?=' }, -32020],
  ];
  for (const [headers, code] of cases) {
    const answer = await callModern(service, message, { key, headers });
    expect([answer.status, answer.response.error?.code], JSON.stringify(headers)).toEqual([400, code]);
  }
  const complete = {
    'MCP-Protocol-Version': '2026-07-28',
    'Mcp-Method': 'tools/call',
    'Mcp-Name': 'get_me',
  };
  const body = JSON.stringify({ jsonrpc: '2.0', ...message, params: { name: 'get_me', _meta: modernMeta } });
  for (const missing of Object.keys(complete)) {
    const headers = Object.fromEntries(Object.entries(complete).filter(([name]) => name !== missing));
    const answer = await postMcp(service, body, { key, headers });
    expect([answer.status, answer.response.error?.code], missing).toEqual([400, -32020]);
  }
  expect((await postMcp(service, body, { key, headers: complete })).status).toBe(200);
  const encoded = `=?base64?${Buffer.from('get_me').toString('base64')}?=`;
  expect((await callModern(service, message, { key, headers: { 'Mcp-Name': encoded } })).status).toBe(200);
  const tooNew = await callModern(
    service,
    {
      ...message,
      params: { ...message.params, _meta: { 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } },
    },
    { key, headers: { 'MCP-Protocol-Version': '2030-01-01' } },
  );
  expect([tooNew.status, tooNew.response.error?.code]).toEqual([400, -32022]);
});

test('notifications and responses get 202 without a body', async () => {
  const { key } = world;
  const notified = await callMcp(service, { method: 'notifications/initialized' }, { key });
  expect([notified.status, notified.text]).toEqual([202, '']);
  const response = await postMcp(service, '{"jsonrpc":"2.0","id":1,"result":{}}', { key });
  expect([response.status, response.text]).toEqual([202, '']);
  const modern = await callModern(service, { method: 'notifications/cancelled' }, { key });
  expect(modern.status).toBe(202);
});

test('messages that are no requests, unknown methods and unknown tools are refused without the text of an exception', async () => {
  const { key } = world;
  const cases: [string, number, number][] = [
    ['{broken', 400, -32700],
    ['7', 400, -32600],
    ['{}', 400, -32600],
    ['[]', 400, -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', 400, -32600],
    ['{"jsonrpc":"2.0","id":1,"method":"fly"}', 200, -32601],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call"}', 200, -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_me","arguments":[]}}', 200, -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"constructor"}}', 200, -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":7}}', 200, -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"file:///etc/passwd"}}', 200, -32602],
    ['{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}', 200, -32602],
  ];
  for (const [body, status, code] of cases) {
    const answer = await postMcp(service, body, { key });
    expect([answer.status, answer.response.error?.code], body).toEqual([status, code]);
    expect(answer.text, body).not.toMatch(/zod|invalid_type|expected|at .*\.[jt]s/i);
  }
  const plain = await postMcp(service, '{}', { key, headers: { 'Content-Type': 'text/plain' } });
  expect(plain.status).toBe(415);
  const large = await postMcp(service, JSON.stringify({ text: 'x'.repeat(300_000) }), { key });
  expect(large.status).toBe(413);
});

test('every cause of a 401 has the bytes of REST, and nothing is counted, recorded or done', async () => {
  const { accountId, webinar } = world;
  const { key: reader } = await createTestKey(service, accountId, { scopes: ['interactions:read'] });
  const { key: restOnly } = await createTestKey(service, accountId, { surfaces: ['rest'] });
  const create = {
    id: 1,
    method: 'tools/call',
    params: {
      name: 'create_registration',
      arguments: {
        webinarId: webinar.id,
        name: 'Ada',
        email: 'ada@example.com',
        sessionTime: webinar.sessionTime,
      },
    },
  };
  const headers = { 'X-Request-Id': 'same' };
  const expected = await callRest(service, 'GET /webinars', { headers });
  const headersOf = (answered: Headers) => [...answered].filter(([name]) => name !== 'date');
  for (const key of [undefined, 'svc_live_short', `svc_live_${'0'.repeat(32)}`, reader, restOnly]) {
    const batch = [{ id: 0, method: 'ping' }, create];
    for (const answer of [
      await callMcp(service, create, { key, headers }),
      await callModern(service, create, { key, headers }),
      await callMcp(service, batch, { key, headers }),
    ]) {
      expect([answer.status, answer.text]).toEqual([401, expected.text]);
      expect(headersOf(answer.headers)).toEqual(headersOf(expected.headers));
    }
  }
  for (const body of ['{broken', '{"jsonrpc":"2.0"}', 'x'.repeat(300_000)]) {
    expect((await postMcp(service, body, { key: restOnly, headers })).text).toBe(expected.text);
  }
  expect(await rows()).toEqual([]);
  const registered = await callRest(service, `GET /webinars/${webinar.id}/registrations`, { key: world.key });
  expect(registered.json.data).toEqual([]);
});

test('only POST is allowed', async () => {
  const authorized = { headers: { Authorization: `Bearer ${world.key}` } };
  for (const method of ['GET', 'DELETE', 'PUT']) {
    const refused = await fetch(`${service.baseUrl}/mcp`, { method, ...authorized });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'POST']);
    const stranger = await fetch(`${service.baseUrl}/mcp`, { method });
    expect([stranger.status, stranger.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
  }
});

test('a page of a foreign origin is refused before its key is looked at', async () => {
  const ping = { id: 1, method: 'ping' };
  for (const origin of ['https://evil.example', 'null', `${service.baseUrl}.evil.example`]) {
    for (const key of [world.key, undefined]) {
      const answer = await callMcp(service, ping, { key, headers: { Origin: origin } });
      expect([answer.status, JSON.parse(answer.text).code], origin).toEqual([403, 'forbidden_origin']);
    }
  }
  const own = await callMcp(service, ping, { key: world.key, headers: { Origin: service.baseUrl } });
  expect(own.status).toBe(200);
});

test('each message of a batch has its own answer, takes one unit and is one row of Activity', async () => {
  const { key } = world;
  const before = await callMcp(service, { id: 0, method: 'ping' }, { key });
  const answer = await callMcp(
    service,
    [
      { id: 'a', method: 'ping' },
      { method: 'notifications/initialized' },
      {
        id: 'b',
        method: 'tools/call',
        params: { name: 'get_webinar', arguments: { webinarId: world.accountId } },
      },
      { id: 'c', method: 'tools/call', params: { name: 'fly' } },
    ],
    { key },
  );
  expect(answer.status).toBe(200);
  expect(answer.responses.map(({ id, error, result }) => [id, error?.code, result?.isError])).toEqual([
    ['a', undefined, undefined],
    ['b', undefined, true],
    ['c', -32602, undefined],
  ]);
  const left = (answered: { headers: Headers }) => Number(answered.headers.get('x-ratelimit-remaining'));
  expect(left(before) - left(answer)).toBe(4);
  // They are admitted together, so they have the same time.
  const recorded = (await rows()).slice(1);
  expect(recorded).toHaveLength(4);
  expect(recorded).toEqual(
    expect.arrayContaining([
      { method: 'ping', path: null, tool: null, status: 200, replayed: false, error_code: null },
      {
        method: 'notifications/initialized',
        path: null,
        tool: null,
        status: 202,
        replayed: false,
        error_code: null,
      },
      {
        method: null,
        path: null,
        tool: 'get_webinar',
        status: 404,
        replayed: false,
        error_code: 'webinar_not_found',
      },
      { method: null, path: null, tool: 'fly', status: 404, replayed: false, error_code: 'not_found' },
    ]),
  );
});

test('a batch of 21 messages, and a batch of a version without batches, are refused as a whole', async () => {
  const { key } = world;
  const pings = (count: number) => Array.from({ length: count }, (_, id) => ({ id, method: 'ping' }));
  expect((await callMcp(service, pings(20), { key })).responses).toHaveLength(20);
  const large = await callMcp(service, pings(21), { key });
  expect([large.status, large.response.error?.code]).toEqual([413, -32600]);
  const late = await callMcp(service, pings(2), { key, headers: { 'MCP-Protocol-Version': '2025-06-18' } });
  expect([late.status, late.response.error?.code]).toEqual([400, -32600]);
  const kept = await rows();
  expect(kept.slice(20).map(({ status }) => status)).toEqual([413, 400]);
});
