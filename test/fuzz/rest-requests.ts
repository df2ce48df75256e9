// Requests for the fuzzer, made from the document: most reach deep code, the rest are wrong in every place there is.
import { gzipSync } from 'node:zlib';
import type { OpenApiDocument } from '@service/rest';
import fc, { type Arbitrary } from 'fast-check';
import { hostileText, toHostileJson } from './hostile.ts';
import { createValues, oddValue, spoil, usually, type Schema } from './values.ts';

export interface FuzzRequest {
  method: string;
  /** Below /api/v1; `{webinarId}` and `{cursor}` are filled in when it is sent, from what exists then. */
  path: string;
  query: string;
  /** Name, value, name, value. A name may come twice. */
  headers: string[];
  body: Buffer | undefined;
  chunked: boolean;
  /** An index into the callers' keys, or none. */
  caller: number;
  /** An index into each pool of existing ids. */
  pick: number;
}

interface Operation {
  parameters?: { in?: string; name?: string; schema?: Schema }[];
  requestBody?: { content: Record<string, { schema?: Schema; example?: unknown }> };
}

/** Eighteen with a key to everything in one of two workspaces, one whose key may only read in a third, one without a key. */
const callers = 20;
const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'PROPFIND'];

/** `{sessionTime}` in a value stands for one of the session times that exist. */
export const placeholder = (name: string): string => `{${name}}`;

/** An arbitrary of requests to the operations of a document. `known` are the fields that real values are kept for. */
export function requestsOf(document: OpenApiDocument, known: readonly string[]): Arbitrary<FuzzRequest> {
  const values = createValues(
    (schema) => {
      const name = (schema['$ref'] as string | undefined)?.split('/').at(-1);
      return name ? (document.components.schemas[name] as Schema) : schema;
    },
    (name) => (known.includes(name) ? fc.constant(placeholder(name)) : undefined),
  );
  const operations = Object.entries(document.paths).flatMap(([template, item]) =>
    Object.entries(item).map(([method, operation]) => ({
      template,
      method: method.toUpperCase(),
      operation: operation as unknown as Operation,
    })),
  );

  return fc.constantFrom(...operations).chain(({ template, method, operation }) => {
    const isWrite = method !== 'GET';
    return fc.record<FuzzRequest>({
      method: usually(fc.constant(method), fc.constantFrom(...methods)),
      path: usually(fc.constant(template), oddPath(template)),
      query: queryOf(operation, values),
      headers: fc.tuple(isWrite ? writeHeaders : readHeaders, oddHeaders).map((lists) => lists.flat()),
      body: isWrite ? bodyOf(operation, values, known) : rarely(fc.constant(Buffer.from('{"a":1}'))),
      chunked: fc.boolean(),
      caller: fc.nat({ max: callers - 1 }),
      pick: fc.nat(),
    });
  });
}

function sometimes<Value>(value: Arbitrary<Value>): Arbitrary<Value | undefined> {
  return fc.oneof<[fc.WeightedArbitrary<Value>, fc.WeightedArbitrary<undefined>]>(
    { arbitrary: value, weight: 1 },
    { arbitrary: fc.constant(undefined), weight: 2 },
  );
}

const rarely = <Value>(odd: Arbitrary<Value>): Arbitrary<Value | undefined> =>
  usually<Value | undefined>(fc.constant(undefined), odd);

const oddSegments = [
  '%00',
  '%',
  '%E0%A4%A',
  '..%2f..',
  '.',
  '%2e%2e',
  '',
  'null',
  '%F0%9F%92%A5',
  '\xff\xfe',
  'a'.repeat(5000),
];

const oddPath = (template: string): Arbitrary<string> =>
  fc.oneof(
    fc.tuple(fc.constantFrom(...oddSegments), fc.nat({ max: 5 })).map(([odd, index]) =>
      template
        .split('/')
        .with(-1 - (index % (template.split('/').length - 1)), odd)
        .join('/'),
    ),
    fc.constantFrom(
      `/${template}`,
      `${template}/`,
      `${template}//x`,
      template.toUpperCase(),
      `${template};a=b`,
      '/',
      '',
    ),
    fc.uuid().map((id) => template.replace(/\{\w+\}$/, id)),
  );

type Values = ReturnType<typeof createValues>;

const isHook = (value: unknown): boolean => typeof value === 'string' && /^https:.*hook/.test(value);

/** A list is repeated: `status=retrying&status=failure`. */
const fieldOf = (name: string, value: unknown): string =>
  [value]
    .flat()
    .map((one) => `${name}=${encode(String(one))}`)
    .join('&');

function queryOf(operation: Operation, values: Values): Arbitrary<string> {
  const parameters = (operation.parameters ?? []).filter((parameter) => parameter.in === 'query');
  const fields = parameters.map(({ name, schema }) =>
    fc
      .tuple(fc.nat({ max: 3 }), usually(values(schema!, name!), hostileText))
      .map(([dice, value]) => (dice === 0 ? fieldOf(name!, value) : '')),
  );
  const odd = fc.constantFrom(
    'limit=1&limit=2',
    'x=1',
    '%',
    '=',
    '&&&',
    'limit[]=1',
    'limit=1e2',
    `cursor=${'A'.repeat(9000)}`,
    '__proto__=1',
  );
  return usually(fc.tuple(...fields).map(join), fc.tuple(odd, ...fields).map(join));
}

const join = (parts: string[]): string => parts.filter(Boolean).join('&');

/** Percent-encoded, but for placeholders; half a surrogate pair has no encoding. */
const encode = (text: string): string =>
  /^\{\w+\}$/.test(text) ? text : encodeURIComponent(text.toWellFormed());

function bodyOf(
  operation: Operation,
  values: Values,
  known: readonly string[],
): Arbitrary<Buffer | undefined> {
  // An example names things that do not exist here, and a receiver that cannot be found.
  const real = (value: unknown): unknown =>
    JSON.parse(JSON.stringify(value), (name, inner: unknown) =>
      known.includes(name) ? placeholder(name) : isHook(inner) ? placeholder('receiverUrl') : inner,
    );
  const media = operation.requestBody?.content['application/json'];
  const fitting = media?.schema ? values(media.schema, '') : fc.constant({});
  const example = fc.constant(real(media?.example ?? {}));
  const toBuffer = (value: unknown) => Buffer.from(toHostileJson(value));
  const spoiled = fc.oneof(fitting, example).chain(spoil);
  return fc.oneof(
    { arbitrary: fitting.map(toBuffer), weight: 20 },
    { arbitrary: example.map(toBuffer), weight: 30 },
    { arbitrary: spoiled.map(toBuffer), weight: 30 },
    { arbitrary: oddValue.map(toBuffer), weight: 4 },
    { arbitrary: fitting.map(toBuffer).chain(broken), weight: 8 },
    { arbitrary: fc.constant(undefined), weight: 3 },
  );
}

/** The bytes of a body with something wrong below the level of JSON values. */
const broken = (bytes: Buffer): Arbitrary<Buffer> =>
  fc.oneof(
    fc.nat({ max: bytes.length }).map((length) => bytes.subarray(0, length)),
    fc.uint8Array({ maxLength: 30 }).map((odd) => Buffer.concat([bytes, odd])),
    fc.constantFrom(
      Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
      Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
      Buffer.from('{"name":1,"name":2,"title":"a","title":"b"}'),
      Buffer.from('{"__proto__":{"admin":true},"constructor":1}'),
      Buffer.from('{"a":NaN}'),
      Buffer.from('['.repeat(20_000)),
      Buffer.from(`${'{"a":'.repeat(5000)}1${'}'.repeat(5000)}`),
      Buffer.from('\ufeff{}'),
      gzipSync(bytes),
    ),
  );

const jsonType = ['Content-Type', 'application/json'];

/** Few keys, so that they meet: replays, reuse for another request, two at once. */
const idempotencyKey = fc.oneof(
  { arbitrary: fc.uuid(), weight: 8 },
  { arbitrary: fc.constantFrom('k1', 'k2', 'k3', '"k1"', 'x'.repeat(255)), weight: 4 },
  { arbitrary: fc.constantFrom('', ' ', 'a b', 'k'.repeat(256), 'ü\xff'), weight: 1 },
);

const writeHeaders = fc
  .tuple(
    usually(
      fc.constant(jsonType),
      fc.constantFrom<string[]>(
        [],
        ['Content-Type', 'text/plain'],
        ['Content-Type', 'application/json; charset=latin1'],
        ['Content-Type', 'application/json;charset="UTF-8"'],
        ['Content-Type', ';;;'],
        [...jsonType, 'Content-Encoding', 'gzip'],
        [...jsonType, 'Content-Type', 'text/html'],
      ),
    ),
    sometimes(idempotencyKey),
  )
  .map(([type, key]) => [...type, ...(key === undefined ? [] : ['Idempotency-Key', key])]);

const readHeaders = sometimes(
  fc.constantFrom('*', 'W/"x"', '"', ',,,', `"${'e'.repeat(4000)}"`, '{etag}', '{etag}', '{etag}'),
).map((tag) => (tag === undefined ? [] : ['If-None-Match', tag]));

const oddHeaders = fc.oneof(
  { arbitrary: fc.constant<string[]>([]), weight: 8 },
  {
    arbitrary: fc.constantFrom(
      ['X-Request-Id', '../<script>'],
      ['X-Request-Id', 'a', 'X-Request-Id', 'b'],
      ['Accept-Encoding', 'br, gzip'],
      ['Accept-Encoding', '*;q=0'],
      ['Accept', 'text/html'],
      ['Range', 'bytes=0-1'],
      ['X-HTTP-Method-Override', 'DELETE'],
      ['Origin', 'null'],
      ['X-Forwarded-For', "1.2.3.4, '"],
      ['If-Modified-Since', 'yesterday'],
      ['X-Long', 'v'.repeat(8000)],
    ),
    weight: 2,
  },
);
