// Values for the fuzzer: what a schema takes, and what programs choke on.
import fc, { type Arbitrary } from 'fast-check';

export type Schema = Record<string, unknown>;

/** Texts that have broken a parser, a database or a log somewhere. */
const oddTexts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'x\udfff',
  '💥'.repeat(50),
  '\u202egnp.exe',
  'e\u0301'.repeat(100),
  '%00%ff',
  "'; drop table x; --",
  '"><script>',
  '../../etc/passwd',
  '{{7*7}}${7*7}',
  '-1',
  '1e309',
  'null',
  'undefined',
  '__proto__',
  'x'.repeat(10_001),
  '\n\r\t\v',
  '\ufeffbom',
];

export const oddText: Arbitrary<string> = fc.constantFrom(...oddTexts);

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

/** Anything JSON can say, where it was not asked for. */
export const oddValue: Arbitrary<unknown> = fc.oneof(
  oddText,
  fc.constantFrom<unknown>(null, true, false, 0, -1, 1.5, -0, 1e308, 2 ** 53, -(2 ** 63), [], {}, [null]),
  fc.constantFrom<unknown>(
    deep(40),
    deep(300),
    Array.from({ length: 600 }, (_, index) => index),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

const urls = [
  'http://127.0.0.1:1/',
  'https://10.0.0.1/',
  'ftp://127.0.0.1/',
  'http://[::1]/x',
  'no url',
  'http://',
];
const times = [
  '2030-01-15T17:00:00.000Z',
  '0001-01-01T00:00:00Z',
  '9999-12-31T23:59:59+14:00',
  '2026-02-30T00:00:00Z',
];

/** Makes values that fit a schema, mostly: ids and URLs come from `known`, by the name of the field. */
export function createValues(
  resolve: (schema: Schema) => Schema,
  known: (name: string) => Arbitrary<string> | undefined,
): (schema: Schema, name: string) => Arbitrary<unknown> {
  const values = (reference: Schema, name: string): Arbitrary<unknown> => {
    const schema = resolve(reference);
    if ('const' in schema) return fc.constant(schema['const']);
    if (schema['enum']) return fc.constantFrom(...(schema['enum'] as unknown[]));
    const choices = (schema['anyOf'] ?? schema['oneOf']) as Schema[] | undefined;
    if (choices) return fc.oneof(...choices.map((choice) => values(choice, name)));
    const types = [schema['type'] ?? 'object'].flat() as string[];
    return fc.oneof(...types.map((type) => ofType(type, schema, name)));
  };

  const ofType = (type: string, schema: Schema, name: string): Arbitrary<unknown> => {
    if (type === 'object') return object(schema, name);
    if (type === 'array') return array(schema, name);
    if (type === 'string') return text(schema, name);
    if (type === 'boolean') return fc.boolean();
    if (type === 'null') return fc.constant(null);
    const min = Number(schema['minimum'] ?? -1000);
    const max = Number(schema['maximum'] ?? min + 100_000);
    return fc.oneof(fc.integer({ min, max }), fc.constantFrom(min, max));
  };

  const object = ({ properties = {}, required = [], additionalProperties }: Schema, name: string) => {
    if (typeof additionalProperties === 'object' && additionalProperties) {
      const keys = fc.string({ minLength: 1, maxLength: 8 });
      return fc.dictionary(keys, values(additionalProperties as Schema, name), { maxKeys: 3 });
    }
    const members = Object.entries(properties as Record<string, Schema>).map(([member, schema]) => [
      member,
      values(schema, member),
    ]);
    return fc.record(Object.fromEntries(members) as Record<string, Arbitrary<unknown>>, {
      requiredKeys: required as string[],
    });
  };

  const array = ({ items, minItems = 0 }: Schema, name: string) =>
    fc.array(items ? values(items as Schema, name) : oddValue, {
      minLength: Number(minItems),
      maxLength: Number(minItems) + 2,
    });

  const text = (
    { format, pattern, minLength = 0, maxLength = 100 }: Schema,
    name: string,
  ): Arbitrary<string> => {
    const fromKnown = known(name);
    if (fromKnown) return fc.oneof({ arbitrary: fromKnown, weight: 9 }, { arbitrary: fc.uuid(), weight: 1 });
    if (format === 'uuid') return fc.uuid();
    if (format === 'date-time') return fc.constantFrom(...times);
    if (format === 'email' || name === 'email') return fc.emailAddress();
    if (format === 'uri' || /url$/i.test(name)) return fc.constantFrom(...urls);
    if (name === 'timezone')
      return fc.constantFrom('UTC', 'Europe/Berlin', 'America/St_Johns', 'Mars/Olympus');
    if (pattern) return fc.stringMatching(new RegExp(pattern as string));
    const min = Number(minLength);
    return fc.oneof(
      fc.string({ unit: 'grapheme', minLength: min, maxLength: Math.min(Number(maxLength), min + 20) }),
      fc.constant('x'.repeat(Math.min(Number(maxLength), 6000))),
    );
  };

  return values;
}

/** The same value with one thing changed that should not be. */
export function spoil(value: unknown): Arbitrary<unknown> {
  if (typeof value !== 'object' || value === null) return oddValue;
  const names = Object.keys(value);
  const replaced = fc
    .tuple(fc.constantFrom(...names, 'colour', '__proto__', 'constructor'), oddValue)
    .map(([name, odd]) => (Array.isArray(value) ? [odd, ...value] : { ...value, [name]: odd }));
  if (names.length === 0) return replaced;
  const without = fc
    .constantFrom(...names)
    .map((name) => Object.fromEntries(Object.entries(value).filter(([other]) => other !== name)));
  const inside = fc
    .constantFrom(...names)
    .chain((name) =>
      spoil((value as Record<string, unknown>)[name]).map((odd) => ({ ...value, [name]: odd })),
    );
  return fc.oneof(replaced, without, inside);
}
