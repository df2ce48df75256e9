// Examples are generated from the schemas, so every body has one and none is out of date.
import { createHash } from 'node:crypto';
import { json, referredName, type JsonSchema, type OpenApiDocument, type Response } from './document.ts';

/**
 * Realistic values by the name of a field (`email`), of a field in another (`video.url`), of a field of a record or of an
 * operation's body (`Delivery.status`, `createWebhook.url`), or of an operation for its whole body. The most specific name wins. A
 * value is used only if it fits the schema.
 */
export type Samples = Readonly<Record<string, unknown>>;

/** Makes an example of a schema. `owner` is the operation or the record with this body. */
export type Sampler = (schema: JsonSchema, owner?: string) => unknown;

interface Place {
  /** The field's name. */
  name: string;
  /** The field it is in. */
  parent: string;
  /** The component or the operation it is in. */
  owner: string;
}

/** The example of a text without any hint. An optional field with it is left out. */
const unknownText = Symbol('unknown text');

/** Makes a sampler that resolves references in `schemas`. The `examples` and `const` of a schema have priority. */
export function createSampler(schemas: Readonly<Record<string, JsonSchema>>, samples: Samples): Sampler {
  const sample = (schema: JsonSchema, place: Place): unknown => {
    if (schema.examples) return schema.examples[0];
    if ('const' in schema) return schema.const;
    const { name, parent, owner } = place;
    for (const key of [`${owner}.${name}`, `${parent}.${name}`, name]) {
      if (Object.hasOwn(samples, key) && fits(samples[key], schema, schemas))
        return structuredClone(samples[key]);
    }
    const component = referredName(schema);
    if (component) return sample(schemas[component]!, { ...place, owner: component });
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

/** True if a value has the type of a field and is among its choices. */
function fits(value: unknown, schema: JsonSchema, schemas: Readonly<Record<string, JsonSchema>>): boolean {
  const component = referredName(schema);
  if (component) return fits(value, schemas[component]!, schemas);
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices) return choices.some((choice) => fits(value, choice, schemas));
  if (schema.enum) return schema.enum.includes(value);
  const types = [schema.type ?? []].flat();
  if (value === null) return types.includes('null');
  if (Array.isArray(value))
    return types.includes('array') && value.every((one) => fits(one, schema.items ?? {}, schemas));
  if (Number.isInteger(value)) return types.includes('integer') || types.includes('number');
  if (typeof value === 'string' && schema.pattern && !new RegExp(schema.pattern).test(value)) return false;
  return types.length === 0 || types.includes(typeof value);
}

/** Examples of formats other than UUIDs. */
const formats: Record<string, string> = {
  'date-time': '2026-11-20T17:00:00.000Z',
  date: '2026-11-20',
  email: 'ada@example.com',
  uri: 'https://example.com/',
};

const sampleString = ({ format = '' }: JsonSchema, name: string): string | typeof unknownText =>
  format === 'uuid' ? sampleId(name) : (formats[format] ?? unknownText);

const sampleNumber = ({ minimum = 1, maximum = Number.MAX_SAFE_INTEGER }: JsonSchema): number =>
  Math.min(Math.max(1, Number(minimum)), Number(maximum));

/** A UUIDv7 that is always the same for a name, so that a path and its answer contain the same ids. */
export function sampleId(name: string): string {
  const hex = createHash('sha256').update(name).digest('hex');
  return `019aa1c2-${hex.slice(0, 4)}-7${hex.slice(4, 7)}-a${hex.slice(7, 10)}-${hex.slice(10, 22)}`;
}

/**
 * Adds an example to every body of an operation that has none, and to every parameter. Shared answers have theirs. A cursor has
 * none: each belongs to one list.
 */
export function addExamples({ paths }: OpenApiDocument, sample: Sampler): void {
  const add = (content: Response['content'], owner?: string): void => {
    const media = content?.[json];
    if (media?.schema && !media.examples) media.example = sample(media.schema, owner);
  };
  for (const operation of Object.values(paths).flatMap((item) => Object.values(item))) {
    add(operation.requestBody?.content, operation.operationId);
    for (const parameter of operation.parameters ?? []) {
      if (!('in' in parameter) || 'example' in parameter || parameter.name === 'cursor') continue;
      parameter.example = sample(parameter.schema, parameter.name);
    }
    for (const response of Object.values(operation.responses))
      if ('content' in response) add(response.content);
  }
}
