// JSON-RPC messages for `/mcp` and `/mcp/connect`, from the schemas of the tools. SEED=n tries others, FUZZ_SCALE=n more.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { toolCatalogue } from '@service/composition';
import { createTools } from '@service/mcp';
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestToken, createTestWorld, testApi, type TestApi, type TestWorld } from '../support/api.ts';
import { modernMeta } from '../support/mcp.ts';
import { hostileText, toHostileJson } from './hostile.ts';
import { failureLog, leakIn, parseJson, requestsFor, seed, timeoutFor } from './judge.ts';
import { runRequests } from './run-requests.ts';
import { createSender, type Sent } from './send.ts';
import { createValues, oddValue, spoil, usually, type Schema } from './values.ts';

const count = requestsFor(2500);
const concurrency = 8;
const accounts = 3;
/** A key of each account, two access tokens, and one of each that does not exist. */
const callersMax = accounts + 4;

/** Replaced by the id of something that exists. */
const known = '{known}';

const requestId: Arbitrary<unknown> = usually<unknown>(
  fc.oneof(fc.nat(), fc.string()),
  fc.constantFrom<unknown>(null, 1.5, 2 ** 53, -0, 1e308, 'x'.repeat(100_000), [], {}, true),
);

const methods = [
  'initialize',
  'server/discover',
  'ping',
  'tools/list',
  'resources/list',
  'resources/read',
  'resources/templates/list',
  'prompts/list',
  'completion/complete',
  'logging/setLevel',
  'subscriptions/listen',
  'tasks/get',
  'notifications/initialized',
  'notifications/cancelled',
  '__proto__',
  'toString',
  '',
];

interface Message {
  body: unknown;
  isModern: boolean;
}

interface McpRequest {
  messages: Message[];
  isBatch: boolean;
  /** Instead of the messages. */
  text: string | undefined;
  headers: string[];
  method: string;
  caller: number;
}

function messagesOf({ api }: TestApi): Arbitrary<Message> {
  const tools = createTools(api.service.router, toolCatalogue);
  const call = fc.constantFrom(...tools).chain(({ name, procedure, isWrite }) => {
    const fitting = argumentsOf(procedure.input);
    const given = fc.oneof(
      { arbitrary: fitting, weight: 6 },
      { arbitrary: fitting.chain(spoil), weight: 3 },
      { arbitrary: oddValue, weight: 1 },
    );
    const key = usually<unknown>(
      fc.constant(undefined),
      fc.oneof(fc.constantFrom('a', 'b', 'c'), oddValue),
      3,
    );
    return fc.record({ given, key }).map(({ given: made, key: idempotencyKey }) => ({
      name,
      arguments:
        isWrite && idempotencyKey !== undefined && typeof made === 'object' && made !== null
          ? { ...made, idempotency_key: idempotencyKey }
          : made,
    }));
  });
  const toolCall = usually<unknown>(call, fc.record({ name: hostileText, arguments: oddValue })).map(
    (params) => ({
      method: 'tools/call',
      params,
    }),
  );
  const other = fc.record({ method: fc.oneof(fc.constantFrom(...methods), hostileText), params: oddValue });
  const message = fc
    .record({
      id: requestId,
      part: usually<{ method: string; params: unknown }>(toolCall, other, 3),
      isModern: fc.boolean(),
    })
    .map(({ id, part, isModern }): Message => {
      const isObject = typeof part.params === 'object' && part.params !== null && !Array.isArray(part.params);
      const params = isModern && isObject ? { ...(part.params as object), _meta: modernMeta } : part.params;
      const isNotice = part.method.startsWith('notifications/');
      return { isModern, body: { jsonrpc: '2.0', ...(!isNotice && { id }), method: part.method, params } };
    });
  return usually(
    message,
    oddValue.map((body) => ({ body, isModern: false })),
    12,
  );
}

function argumentsOf(parser: z.ZodType | undefined): Arbitrary<unknown> {
  if (!parser) return fc.constant({});
  const schema = z.toJSONSchema(parser, { io: 'input', unrepresentable: 'any' }) as Schema;
  const definitions = (schema['$defs'] ?? {}) as Record<string, Schema>;
  const values = createValues(
    (one) => definitions[String(one['$ref']).split('/').at(-1)!] ?? one,
    (name) => (name.endsWith('Id') ? fc.constant(known) : undefined),
  );
  return values(schema, '');
}

const requestsOf = (message: Arbitrary<Message>): Arbitrary<McpRequest> =>
  fc
    .oneof(
      { arbitrary: fc.array(message, { minLength: 1, maxLength: 1 }), weight: 6 },
      { arbitrary: fc.array(message, { minLength: 0, maxLength: 22 }), weight: 1 },
    )
    .chain((messages) =>
      fc.record<McpRequest>({
        messages: fc.constant(messages),
        isBatch: messages.length === 1 ? usually(fc.constant(false), fc.constant(true)) : fc.constant(true),
        text: usually<string | undefined>(
          fc.constant(undefined),
          fc.oneof(
            fc.constantFrom(
              '',
              '{',
              '[]',
              'null',
              '[1,2',
              '{"jsonrpc":',
              '['.repeat(20_000),
              'x'.repeat(5_000_000),
            ),
            hostileText,
          ),
          30,
        ),
        headers: usually<string[]>(
          fc.constant([]),
          fc.constantFrom(
            ['Mcp-Method', 'tools/list'],
            ['MCP-Protocol-Version', '2030-01-01'],
            ['Mcp-Name', '=?base64?!?='],
            ['Origin', 'https://evil.example'],
            ['Content-Type', 'text/plain'],
          ),
        ),
        method: usually(fc.constant('POST'), fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS'), 30),
        caller: fc.nat({ max: callersMax - 1 }),
      }),
    );

/** Few of the others have the statuses of these. */
const rareRequests: readonly McpRequest[] = [
  { text: '{"jsonrpc":"2.0","method":"notifications/initialized"}' },
  { text: 'x'.repeat(5_000_000) },
  { text: '{}', headers: ['Content-Type', 'text/plain'] },
].map((given) => ({ messages: [], isBatch: false, headers: [], method: 'POST', caller: 0, ...given }));

/** The headers of a message of version 2026-07-28. A header cannot contain every text. */
function modernHeaders(body: unknown): string[] {
  const { method, params } = body as { method: string; params?: { name?: unknown; uri?: unknown } };
  const name = params?.name ?? params?.uri;
  const isHeader = (text: unknown): text is string =>
    typeof text === 'string' && /^[\x21-\x7e]{1,200}$/.test(text);
  return [
    'MCP-Protocol-Version',
    '2026-07-28',
    ...(isHeader(method) ? ['Mcp-Method', method] : []),
    ...(isHeader(name) ? ['Mcp-Name', name] : []),
  ];
}

function judge({ status, text }: Sent): string[] {
  if (status >= 500) return [`status ${status}`];
  if (status === 202 || text === '') return text === '' ? [] : ['a body with 202'];
  const answer = parseJson(text);
  if (answer === undefined) return ['not JSON'];
  const isShaped = (Array.isArray(answer) ? answer : [answer]).every(
    (one: Record<string, unknown>) => one['jsonrpc'] === '2.0' || typeof one['code'] === 'string',
  );
  const internal = /internal_error|-32603/.exec(text);
  const exception = /ZodError|invalid_type|TypeError|Cannot read|undefined is not/.exec(text);
  return [
    ...leakIn(text),
    ...(isShaped ? [] : ['neither JSON-RPC nor an error of this service']),
    ...(internal ? [internal[0]] : []),
    ...(exception ? [`shows ${exception[0]}`] : []),
  ];
}

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

function usedMegabytes(): number {
  collect();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}

/** Caches may grow a little. Requests that were not released would be hundreds of megabytes. */
const growthMaxMegabytes = 40;

test(
  `${count} messages, valid and broken, are answered without an exception, and leave no memory behind`,
  { timeout: timeoutFor(count) },
  async () => {
    console.log(`Fuzzing with SEED=${seed}`);
    await using service = await testApi({ log: failureLog });
    const worlds = await Promise.all(Array.from({ length: accounts }, () => createTestWorld(service)));
    const [{ accountId, webinar }] = worlds as [TestWorld];
    const tokens = [
      await createTestToken(service, accountId),
      await createTestToken(service, accountId, { scopes: ['webinars:read'] }),
    ];
    const callers = [
      ...worlds.map((world) => ({ key: world.key, id: world.webinar.id, target: '/mcp' })),
      ...tokens.map(({ token }) => ({ key: token, id: webinar.id, target: '/mcp/connect' })),
      { key: `svc_live_${'0'.repeat(32)}`, id: accountId, target: '/mcp' },
      { key: `svc_at_${'0'.repeat(32)}`, id: accountId, target: '/mcp/connect' },
    ];
    expect(callers).toHaveLength(callersMax);
    const arbitrary = requestsOf(messagesOf(service));
    const textOf = ({ messages, isBatch, text }: McpRequest): string => {
      const bodies = messages.map(({ body }) => body);
      return text ?? toHostileJson(isBatch ? bodies : bodies[0]);
    };
    /** Makes requests, sends them and forgets them. Making them takes seconds, in which the server ends idle connections. */
    const run = async (numRuns: number, ownSeed: number) => {
      const requests = [...rareRequests, ...fc.sample(arbitrary, { seed: ownSeed, numRuns })];
      const sender = createSender(service.baseUrl, concurrency);
      const ran = await runRequests({
        requests,
        concurrency,
        send(request) {
          const { key, id, target } = callers[request.caller]!;
          const [first] = request.messages;
          const modern = first?.isModern && !request.isBatch ? modernHeaders(first.body) : [];
          const type = request.headers[0] === 'Content-Type' ? [] : ['Content-Type', 'application/json'];
          const headers = [...type, ...modern, ...request.headers];
          return sender.send({
            method: request.method,
            target,
            headers: [...headers, 'Authorization', `Bearer ${key}`],
            body: request.method === 'GET' ? undefined : Buffer.from(textOf(request).replaceAll(known, id)),
            chunked: false,
          });
        },
        judge: (_request, sent) => judge(sent),
        describe: (request) => textOf(request).slice(0, 2000),
      });
      sender.close();
      return ran;
    };
    const quarter = Math.ceil(count / 4);
    const first = await run(quarter, seed);
    const before = usedMegabytes();
    const rest = await run(count - quarter, seed + 1);
    const grown = usedMegabytes() - before;
    console.log(`The heap grew by ${grown.toFixed(1)} MB`);
    expect([...first.findings, ...rest.findings].slice(0, 10)).toEqual([]);
    expect(grown).toBeLessThan(growthMaxMegabytes);
    // They reached the tools, and not only the checks before them.
    for (const status of [200, 202, 400, 401, 403, 405, 413, 415, 422])
      expect([...first.statuses, ...rest.statuses]).toContain(status);
    // No message keeps the others out of Activity. Two callers of seven have a wrong credential.
    await service.api.service.activity.flush();
    const { rows } = await service.db.database.pool.query(
      'select count(*)::int as count from activity.api_call',
    );
    expect(rows[0].count).toBeGreaterThan(count / 2);
  },
);
