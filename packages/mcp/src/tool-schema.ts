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
  arguments?: Readonly<Record<string, JsonSchema>>;
  hiddenArguments?: readonly string[];
}

/** The arguments of a tool: the input of its procedure, and an idempotency key for a write. */
export function describeInput(
  input: z.ZodType,
  { isWrite, arguments: replaced = {}, hiddenArguments: hidden = [] }: InputOptions,
): ObjectSchema {
  const { properties: described = {}, required = [] } = toSchema(input, 'input') as {
    properties?: Record<string, JsonSchema>;
    required?: string[];
  };
  const properties: Record<string, JsonSchema> = { ...described, ...replaced };
  for (const name of hidden) delete properties[name];
  if ('cursor' in properties) {
    properties['limit'] = { type: 'integer', minimum: 1, maximum: rowsMax, default: rowsMax };
    properties['cursor'] = { type: 'string', description: '`nextCursor` of the previous page.' };
  }
  if (isWrite) properties['idempotency_key'] = idempotencyKey;
  return { type: 'object', properties, ...(required.length > 0 && { required }) };
}

const idempotencyKey: JsonSchema = {
  type: 'string',
  description: 'Makes a retry safe: the same key returns the first answer, and nothing is done twice.',
};

/** The result of a tool. All of its fields are always there, so the schema does not list them as required. */
export const describeOutput = (output: z.ZodType): ObjectSchema =>
  withoutMembers(toSchema(output, 'output'), ['required', 'additionalProperties', 'format']) as ObjectSchema;

/** Members that a description of a value does not need: formats say the same as patterns, and bounds of safe integers say nothing. */
function toSchema(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...described } = z.toJSONSchema(schema, {
    target: 'draft-2020-12',
    io,
    unrepresentable: 'any',
    metadata: new Nameless(),
    override({ jsonSchema }) {
      if (jsonSchema.format !== undefined) delete jsonSchema.pattern;
      if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
      if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
      joinNull(jsonSchema);
    },
  });
  return described;
}

/** Writes `string or null` as one list of types. */
function joinNull(schema: z.core.JSONSchema.BaseSchema): void {
  const [value, other, ...more] = schema.anyOf ?? [];
  if (!value || !other || more.length > 0 || !isNull(other) || typeof value !== 'object') return;
  if (typeof value.type !== 'string' || value.enum !== undefined || value.const !== undefined) return;
  delete schema.anyOf;
  Object.assign(schema, { ...value, ...schema, type: [value.type, 'null'] });
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
