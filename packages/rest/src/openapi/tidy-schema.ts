// zod writes exact schemas that are hard to read. Here they become schemas for people and for generators.
import { referredName, type JsonSchema } from './document.ts';

/** The exact form of a time in an answer. */
const instantPattern = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

/** Formats that need no pattern. */
const plainFormats = new Set<unknown>(['uuid', 'date-time', 'email', 'uri']);

/** Simplifies a schema whose subschemas are simple. Does not change other values. */
export function tidySchema(value: unknown, isAnswer: boolean): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value;
  const schema = value as JsonSchema;
  if (plainFormats.has(schema.format) && typeof schema.pattern === 'string') delete schema.pattern;
  if (isAnswer && schema.format === 'date-time') schema.pattern = instantPattern;
  // The limits of a safe integer need no mention.
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  // The names of a JSON object are always strings.
  if (JSON.stringify(schema.propertyNames) === '{"type":"string"}') delete schema.propertyNames;
  // Answers may gain fields at any time, and a client that refuses unknown fields would break.
  if (isAnswer && schema.additionalProperties === false) delete schema.additionalProperties;
  // The words for a value that can be null are those of its field.
  const [first, ...others] = schema.anyOf ?? [];
  if (first?.description !== undefined && others.length === 1 && others[0]!.type === 'null') {
    schema.description ??= first.description;
    delete first.description;
  }
  return schema;
}

/** Wraps the lists in unions: the Java class of a union has members of the type `List`, and `List<String>.class` does not compile. */
export function wrapLists(schemas: Record<string, JsonSchema>): void {
  const isList = (schema: JsonSchema): boolean => schemas[referredName(schema) ?? '']?.type === 'array';
  for (const union of Object.values(schemas)) {
    if (union.anyOf) union.anyOf = union.anyOf.map((one) => (isList(one) ? { allOf: [one] } : one));
  }
}

/**
 * Writes the default of each optional field into its description. The keyword `default` would make the field a required one in
 * the clients of openapi-typescript, which cannot know that a component is only sent.
 */
export function describeDefaults(schemas: Record<string, JsonSchema>): void {
  for (const { properties = {}, required = [] } of Object.values(schemas)) {
    for (const [name, { default: value, ...property }] of Object.entries(properties)) {
      if (value === undefined || required.includes(name)) continue;
      const description = property.description ?? schemas[referredName(property) ?? '']?.description;
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const sentence = `Default: \`${text}\`.`;
      properties[name] = { ...property, description: [description, sentence].filter(Boolean).join(' ') };
    }
  }
}
