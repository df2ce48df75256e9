// JSON Schemas of tools. An assistant reads all of them before each conversation, so they contain only what helps to call a tool.
import { z } from 'zod';

export type JsonSchema = Record<string, unknown>;
type ObjectSchema = JsonSchema & { type: 'object' };

/** Rows of one result. An assistant reads every row, and more of them rarely answer a question. */
export const rowsMax = 20;

/** Descriptions without names, because the schemas have no references, and without examples. */
class Nameless extends z.core.$ZodRegistry<Record<string, unknown>> {
  override get(schema: z.core.$ZodType) {
    const { id: _id, examples: _examples, ...meta } = z.globalRegistry.get(schema) ?? {};
    return meta;
  }
}

interface InputOptions {
  isWrite: boolean;
  isEdit: boolean;
  texts?: Readonly<Record<string, string>>;
  arguments?: Readonly<Record<string, JsonSchema>>;
  hiddenArguments?: readonly string[];
}

/** The arguments of a tool: the input of its procedure, an idempotency key for a write, and a version for a change of a record. */
export function describeInput(
  input: z.ZodType,
  { isWrite, isEdit, texts = {}, arguments: replaced = {}, hiddenArguments: hidden = [] }: InputOptions,
): ObjectSchema {
  const { properties: described = {}, required = [] } = withoutMembers(toSchema(input, 'input'), checked) as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const properties: Record<string, JsonSchema> = { ...described };
  for (const [name, schema] of Object.entries(replaced))
    properties[name] = { ...valuesOf(described[name]), ...schema };
  for (const name of hidden) delete properties[name];
  for (const [name, description] of Object.entries(texts)) {
    if (name in properties && !(name in replaced)) properties[name] = { ...properties[name], description };
  }
  if ('limit' in properties) properties['limit'] = limit;
  if ('cursor' in properties) properties['cursor'] = cursor;
  if (isEdit) properties['if_match'] = ifMatch;
  if (isWrite) properties['idempotency_key'] = idempotencyKey;
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

/** A shorter schema keeps the values of a closed set, because a call with another value is refused. */
const valuesOf = ({ enum: values }: JsonSchema = {}): JsonSchema =>
  values === undefined ? {} : { enum: values };

const limit: JsonSchema = { type: 'integer', description: `At most ${rowsMax}.` };

const cursor: JsonSchema = { type: 'string', description: 'nextCursor of a page.' };

const idempotencyKey: JsonSchema = { type: 'string', description: 'A new UUID.' };

const ifMatch: JsonSchema = {
  type: 'string',
  description: 'The version that you read.',
};

/** Bounds that the procedure checks. An answer with the refused fields costs less than their description in every conversation. */
const checked = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'additionalProperties',
  'format',
];

/** The result of a tool: the names of the fields of its records. Names say enough to choose a tool and to read its result. */
export function describeOutput(output: z.ZodType): ObjectSchema {
  const described = withoutMembers(toSchema(output, 'output'), ['required', 'additionalProperties', 'type']);
  const schema = shallow({ type: 'object', ...(described as JsonSchema) }, outputDepth) as ObjectSchema & {
    properties: JsonSchema;
  };
  // The same for each list. The instructions of the server describe it.
  delete schema.properties['pagination'];
  return schema;
}

/** `data`, its records, and the names of their fields. */
const outputDepth = 2;

/** Leaves only names of properties at a depth, and nothing below. */
function shallow(schema: unknown, depth: number): unknown {
  if (depth === 0) return {};
  if (typeof schema !== 'object' || schema === null) return schema;
  const { properties, items, ...rest } = schema as { properties?: JsonSchema; items?: unknown };
  return {
    ...rest,
    ...(items !== undefined && { items: shallow(items, depth) }),
    ...(properties && {
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, property]) => [name, shallow(property, depth - 1)]),
      ),
    }),
  };
}

const known = { input: new WeakMap<z.ZodType, JsonSchema>(), output: new WeakMap<z.ZodType, JsonSchema>() };

/** The JSON Schema of a value. It is made once and never changed: a process of tests starts hundreds of APIs with the same schemas. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const described = known[io].get(schema) ?? describe(schema, io);
  known[io].set(schema, described);
  return described;
}

/** Members that a description of a value does not need: formats say the same as patterns, and bounds of safe integers say nothing. */
function describe(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    metadata: new Nameless(),
    override({ jsonSchema }) {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      // An assistant leaves out what it does not need.
      if (jsonSchema.default === null || typeof jsonSchema.default === 'object') delete jsonSchema.default;
      if (/^The id of the \w+\.$/.test(jsonSchema.description ?? '')) delete jsonSchema.description;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      // The values say their type.
      if (jsonSchema.enum !== undefined) delete jsonSchema.type;
      joinNull(jsonSchema);
      joinList(jsonSchema);
    },
  });
  return described;
}

/** Writes `string or null` as one list of types. */
function joinNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, other, ...more] = schema.anyOf ?? [];
  if (!value || !other || more.length > 0 || !isNull(other) || typeof value !== 'object') return;
  if (typeof value.type !== 'string' || value.const !== undefined) return;
  delete schema.anyOf;
  Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] });
}

/** Writes `one or a list of them` as the list, which may have one item. */
function joinList(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, list, ...more] = schema.anyOf ?? [];
  if (typeof list !== 'object' || list.type !== 'array' || more.length > 0) return;
  if (JSON.stringify(list.items) !== JSON.stringify(value)) return;
  delete schema.anyOf;
  Object.assign(schema, { ...list, ...schema });
}

const isNull = (schema: z.core.JSONSchema._JSONSchema): boolean =>
  typeof schema === 'object' && schema.type === 'null';

function withoutMembers(value: unknown, names: readonly string[], isProperties = false): unknown {
  if (Array.isArray(value)) return value.map((item) => withoutMembers(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([name]) => isProperties || !names.includes(name))
      .map(([name, member]) => [name, withoutMembers(member, names, !isProperties && name === 'properties')]),
  );
}
