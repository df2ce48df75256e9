// Values for the fuzzer: what a schema takes, and what it should refuse.
import fc, { type Arbitrary } from 'fast-check';
import { hostileEmail, hostileId, hostileNumber, hostileText, hostileUrl } from './hostile.ts';
import { hostileTime, hostileZone } from './hostile-times.ts';

export type Schema = Record<string, unknown>;

const deep = (levels: number): unknown => (levels === 0 ? 1 : [deep(levels - 1)]);

/** Anything JSON can say, where it was not asked for. */
export const oddValue: Arbitrary<unknown> = fc.oneof(
  hostileText,
  hostileNumber,
  fc.constantFrom<unknown>(null, true, false, [], {}, [null]),
  fc.constantFrom<unknown>(
    deep(40),
    deep(300),
    Array.from({ length: 600 }, (_, index) => index),
  ),
  fc.jsonValue({ maxDepth: 3 }),
);

/** The other one now and then. */
export const usually = <Value>(
  usual: Arbitrary<Value>,
  other: Arbitrary<Value>,
  weight = 9,
): Arbitrary<Value> => fc.oneof({ arbitrary: usual, weight }, { arbitrary: other, weight: 1 });

const mostly = (fitting: Arbitrary<string>, hostile: Arbitrary<string>): Arbitrary<string> =>
  fc.oneof({ arbitrary: fitting, weight: 6 }, { arbitrary: hostile, weight: 1 });

/** Makes values that fit a schema, mostly: ids and URLs come from `known`, by the name of the field. */
export function createValues(
  resolve: (schema: Schema) => Schema,
  known: (name: string) => Arbitrary<string> | undefined,
): (schema: Schema, name: string) => Arbitrary<unknown> {
  const values = (reference: Schema, name: string): Arbitrary<unknown> => {
    const schema = resolve(reference);
    if ('const' in schema) return fc.constant(schema['const']);
    if (schema['enum']) return fc.constantFrom(...(schema['enum'] as unknown[]));
    // An `allOf` of the document has one schema.
    const choices = (schema['anyOf'] ?? schema['oneOf'] ?? schema['allOf']) as Schema[] | undefined;
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
    return fc.oneof(
      { arbitrary: fc.integer({ min, max }), weight: 6 },
      { arbitrary: fc.constantFrom(min, max), weight: 3 },
      { arbitrary: hostileNumber, weight: 1 },
    );
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
    if (fromKnown) return mostly(fromKnown, hostileId);
    if (format === 'uuid') return hostileId;
    if (format === 'date-time') return mostly(fc.constant('2030-01-15T17:00:00.000Z'), hostileTime);
    if (format === 'email' || name === 'email') return mostly(fc.emailAddress(), hostileEmail);
    if (format === 'uri' || /url$/i.test(name)) return mostly(fc.webUrl(), hostileUrl);
    if (name === 'timezone') return hostileZone;
    if (pattern) return mostly(fc.stringMatching(new RegExp(pattern as string)), hostileText);
    const min = Number(minLength);
    const fitting = fc.string({
      unit: 'grapheme',
      minLength: min,
      maxLength: Math.min(Number(maxLength), min + 20),
    });
    const longest = fc.constant('x'.repeat(Math.min(Number(maxLength), 6000)));
    return mostly(fc.oneof(fitting, longest), hostileText);
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
