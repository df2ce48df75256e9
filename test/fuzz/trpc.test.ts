// The dashboard's calls, from the input schemas of the procedures. SEED=n tries others, FUZZ_SCALE=n more.
import fc, { type Arbitrary } from 'fast-check';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createTestWorld, testApi, type TestApi } from '../support/api.ts';
import { hostileText, toHostileJson } from './hostile.ts';
import { failureLog, leakIn, parseJson, requestsFor, seed, timeoutFor } from './judge.ts';
import { runRequests } from './run-requests.ts';
import { createSender, type Sent } from './send.ts';
import { createValues, oddValue, spoil, usually, type Schema } from './values.ts';

const count = requestsFor(2000);
const concurrency = 8;
const accounts = 4;

/** More than the fuzzer asks for. */
const ampleCallLimit = { perSession: 1_000_000, perAccount: 1_000_000, windowSeconds: 60 };

/** Answers that the dashboard may get. 207 is a batch whose calls came out differently. */
const answerable = new Set([200, 204, 207, 400, 401, 403, 404, 405, 409, 412, 413, 415, 422, 429, 431]);

interface Procedure {
  path: string;
  type: 'query' | 'mutation';
  input: Arbitrary<unknown>;
}

/** Procedures that sign people out or remove them would end the run. */
const left = /^accounts\.(members|workspace)\.(remove|leave|delete)/;

/** `known` is replaced by the id of something that exists, of any kind. */
const known = '{known}';

function proceduresOf({ api }: TestApi): Procedure[] {
  const { procedures } = api.service.router._def as unknown as {
    procedures: Record<string, { _def: { type: Procedure['type']; inputs: z.ZodType[] } }>;
  };
  return Object.entries(procedures)
    .filter(([path]) => !left.test(path))
    .map(([path, { _def }]) => ({ path, type: _def.type, input: inputOf(_def.inputs[0]) }));
}

function inputOf(parser: z.ZodType | undefined): Arbitrary<unknown> {
  if (!parser) return fc.constant(undefined);
  const schema = z.toJSONSchema(parser, { io: 'input', unrepresentable: 'any' }) as Schema;
  const definitions = (schema['$defs'] ?? {}) as Record<string, Schema>;
  const values = createValues(
    (one) => definitions[String(one['$ref']).split('/').at(-1)!] ?? one,
    (name) => (name.endsWith('Id') ? fc.constant(known) : undefined),
  );
  const fitting = values(schema, '');
  return fc.oneof(
    { arbitrary: fitting, weight: 6 },
    { arbitrary: fitting.chain(spoil), weight: 3 },
    { arbitrary: oddValue, weight: 1 },
  );
}

interface TrpcRequest {
  calls: { path: string; input: unknown }[];
  method: string;
  /** Undefined for one call without a batch. */
  batch: string | undefined;
  type: string | undefined;
  /** Instead of the inputs. */
  body: string | undefined;
  caller: number;
}

function requestsOf(procedures: readonly Procedure[]): Arbitrary<TrpcRequest> {
  const oneOf = (type: Procedure['type']) => {
    const own = procedures.filter((procedure) => procedure.type === type);
    return fc.constantFrom(...own).chain(({ path, input }) => fc.record({ path: fc.constant(path), input }));
  };
  const oddPath = fc.constantFrom(
    '',
    '.',
    'webinars',
    '__proto__',
    'webinars.list.',
    'a/b',
    '%00',
    '%',
    'x'.repeat(3000),
  );
  const odd = fc.record({ path: oddPath, input: oddValue });
  return fc.constantFrom('query', 'mutation').chain((type) => {
    const call = usually(oneOf(type), fc.oneof(odd, oneOf(type === 'query' ? 'mutation' : 'query')));
    return fc.record<TrpcRequest>({
      calls: fc.oneof(
        { arbitrary: fc.array(call, { minLength: 1, maxLength: 1 }), weight: 6 },
        { arbitrary: fc.array(call, { minLength: 2, maxLength: 22 }), weight: 1 },
      ),
      method: usually(
        fc.constant(type === 'query' ? 'GET' : 'POST'),
        fc.constantFrom('HEAD', 'PUT', 'DELETE', 'OPTIONS', 'TRACE'),
      ),
      batch: fc.constantFrom(undefined, '1', '1', '0', 'x'),
      type: usually<string | undefined>(
        fc.constant('application/json'),
        fc.constantFrom(
          undefined,
          'text/plain',
          'application/octet-stream',
          'multipart/form-data; boundary=x',
          ';',
        ),
      ),
      body: usually<string | undefined>(
        fc.constant(undefined),
        fc.oneof(fc.constantFrom('', '{', '[]', 'null', '[1,2', '{"0":', '['.repeat(20_000)), hostileText),
      ),
      caller: fc.nat({ max: accounts }),
    });
  });
}

interface Caller {
  headers: string[];
  ids: string[];
}

async function createCallers(service: TestApi): Promise<Caller[]> {
  const callers = await Promise.all(
    Array.from({ length: accounts }, async () => {
      const { email, password, accountId, webinar } = await createTestWorld(service);
      const response = await fetch(`${service.baseUrl}/api/auth/sign-in/email`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', origin: service.baseUrl },
        body: JSON.stringify({ email, password }),
      });
      const cookie = response.headers
        .getSetCookie()
        .map((line) => line.split(';')[0])
        .join('; ');
      return { headers: ['Cookie', cookie, 'X-Workspace', accountId], ids: [webinar.id, accountId] };
    }),
  );
  return [...callers, { headers: [], ids: ['019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02'] }];
}

/** In a way that any text survives, half a surrogate pair aside. */
const encode = (text: string): string => encodeURIComponent(text.toWellFormed());

function toOutgoing({ calls, method, batch, type, body }: TrpcRequest, { headers, ids }: Caller) {
  const inputs = calls.map(({ input }, index) =>
    toHostileJson(input).replaceAll(known, ids[index % ids.length]!),
  );
  const isBatch = batch === '1';
  const asBatch = `{${inputs.flatMap((input, index) => (input === '' ? [] : [`"${index}":${input}`])).join(',')}}`;
  const input = body ?? (isBatch ? asBatch : inputs[0]!);
  const paths = (isBatch ? calls : calls.slice(0, 1)).map(({ path }) => path).join(',');
  const isRead = method === 'GET' || method === 'HEAD';
  const query = [
    ...(batch === undefined ? [] : [`batch=${batch}`]),
    ...(isRead && input !== '' ? [`input=${encode(input)}`] : []),
  ].join('&');
  return {
    method,
    target: `/trpc/${paths}?${query}`,
    headers: [...headers, ...(type === undefined ? [] : ['Content-Type', type])],
    body: isRead ? undefined : Buffer.from(input),
    chunked: false,
  };
}

const Failure = z.object({
  error: z.object({
    message: z.string(),
    code: z.number(),
    data: z.object({ httpStatus: z.number(), code: z.string(), kind: z.string() }),
  }),
});
const Success = z.object({ result: z.object({ data: z.unknown().optional() }) });
const Plain = z.object({ code: z.string(), message: z.string() });
const Shape = z.union([Success, Failure, z.array(z.union([Success, Failure])), Plain]);

function judge({ method }: TrpcRequest, { status, text }: Sent): string[] {
  const isShaped = method === 'HEAD' || text === '' || Shape.safeParse(parseJson(text)).success;
  const inside = /"httpStatus":5\d\d/.exec(text);
  return [
    ...(answerable.has(status) ? [] : [`status ${status}`]),
    ...(inside ? [inside[0]] : []),
    ...leakIn(text),
    ...(isShaped ? [] : ['not one of our shapes']),
  ];
}

test(
  `${count} requests to the dashboard's calls are answered with a known status and shape`,
  { timeout: timeoutFor(count) },
  async () => {
    console.log(`Fuzzing with SEED=${seed}`);
    await using service = await testApi({ callLimit: ampleCallLimit, log: failureLog });
    const callers = await createCallers(service);
    const requests = fc.sample(requestsOf(proceduresOf(service)), { seed, numRuns: count });
    const sender = createSender(service.baseUrl, concurrency);
    const outgoingOf = (request: TrpcRequest) => toOutgoing(request, callers[request.caller]!);
    const { findings, statuses } = await runRequests({
      requests,
      concurrency,
      send: (request) => sender.send(outgoingOf(request)),
      judge,
      describe(request) {
        const { method, target, body } = outgoingOf(request);
        return `${method} ${target.slice(0, 600)} ${body?.toString().slice(0, 600)}`;
      },
    });
    sender.close();
    for (const status of [200, 207, 400, 401, 404, 405, 415, 422]) expect(statuses).toContain(status);
    expect(findings.slice(0, 10)).toEqual([]);
  },
);
