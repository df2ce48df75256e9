// Examples are made from the schemas, so that there is one for everything and none can be out of date.
import { createHash } from 'node:crypto';
import type { JsonSchema } from './document.ts';

/**
 * Lifelike values by the name of a field, `email`; of a field in another, `video.url`; of a field of a record or of an
 * operation's body, `Delivery.status`, `createWebhook.url`; or of a whole body, by its operation. The narrowest name wins;
 * a value is used where it fits.
 */
export type Samples = Readonly<Record<string, unknown>>;

/** Makes an example of a schema; `owner` is whose body it is. */
export type Sampler = (schema: JsonSchema, owner?: string) => unknown;

interface Place {
  /** The field's name. */
  name: string;
  /** The field it is in. */
  parent: string;
  /** The component or the operation it is in. */
  owner: string;
}

/** In the place of a text of which nothing is known: left out where it may be. */
const unknownText = Symbol('unknown text');

/** Makes a sampler that resolves references in `schemas`. What the schema itself says (`examples`, `const`) goes first. */
export function createSampler(schemas: Readonly<Record<string, JsonSchema>>, samples: Samples): Sampler {
  const sample = (schema: JsonSchema, place: Place): unknown => {
    if (schema.$ref) {
      const owner = schema.$ref.split('/').at(-1)!;
      return sample(schemas[owner]!, { ...place, owner });
    }
    if (schema.examples) return schema.examples[0];
    if ('const' in schema) return schema.const;
    const { name, parent, owner } = place;
    for (const key of [`${owner}.${name}`, `${parent}.${name}`, name]) {
      if (Object.hasOwn(samples, key) && fits(samples[key], schema)) return structuredClone(samples[key]);
    }
    if (schema.enum) return schema.enum[0];
    const choices = schema.anyOf ?? schema.oneOf;
    if (choices) return sample(choices.find(({ type }) => type !== 'null') ?? choices[0]!, place);
    return sampleType(schema, place);
  };

  const sampleType = (schema: JsonSchema, place: Place): unknown => {
    const types = new Set([schema.type ?? []].flat());
    if (types.has('object')) return sampleObject(schema, place);
    if (schema.default !== undefined && schema.default !== null) return schema.default;
    if (types.has('array')) return sampleArray(schema, place);
    if (types.has('string')) return sampleString(schema, place.name);
    if (types.has('integer') || types.has('number')) return sampleNumber(schema);
    if (types.has('boolean')) return true;
    return types.has('null') ? null : {};
  };

  const sampleObject = (
    { properties = {}, required = [] }: JsonSchema,
    { owner, name: parent }: Place,
  ): unknown => {
    const entries = Object.entries(properties).flatMap(([name, inner]) => {
      const value = sample(inner, { name, parent, owner });
      if (value !== unknownText) return [[name, value]];
      return required.includes(name) ? [[name, 'text']] : [];
    });
    return Object.fromEntries(entries) as unknown;
  };

  const sampleArray = ({ items, minItems }: JsonSchema, place: Place): unknown => {
    const value = items ? sample(items, place) : unknownText;
    if (value === unknownText) return [];
    return Array.from({ length: Math.max(Number(minItems ?? 1), 1) }, () => value);
  };

  return (schema, owner = '') => sample(schema, { name: owner, parent: '', owner });
}

/** Whether a value could be meant for this field: of its type, and among its choices. */
function fits(value: unknown, schema: JsonSchema): boolean {
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.some((choice) => fits(value, choice));
  if (schema.enum) return schema.enum.includes(value);
  const types = [schema.type ?? []].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value))
    return types.includes('array') && value.every((one) => fits(one, schema.items ?? {}));
  if (Number.isInteger(value)) return types.includes('integer') || types.includes('number');
  if (typeof value === 'string' && schema.pattern && !new RegExp(schema.pattern).test(value)) return false;
  return types.length === 0 || types.includes(typeof value);
}

function sampleString({ format }: JsonSchema, name: string): string | typeof unknownText {
  if (format === 'uuid') return sampleId(name);
  if (format === 'date-time') return '2026-11-20T17:00:00.000Z';
  if (format === 'date') return '2026-11-20';
  if (format === 'email') return 'ada@example.com';
  if (format === 'uri') return 'https://example.com/';
  return unknownText;
}

function sampleNumber({ minimum, maximum }: JsonSchema): number {
  return Math.min(Math.max(1, Number(minimum ?? 1)), Number(maximum ?? Number.MAX_SAFE_INTEGER));
}

/** A UUIDv7 that is always the same for a name, so that a path and its answer show the same ids. */
export function sampleId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `019aa1c2-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-a${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}
