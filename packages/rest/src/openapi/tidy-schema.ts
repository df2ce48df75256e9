// zod writes exact schemas that are hard to read. Here they become schemas for people and for generators.
import { referredName, type JsonSchema } from './document.ts';

/** The exact form of a time in an answer. */
const instantPattern = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

/** Formats that need no pattern. */
const plainFormats = new Set(['uuid', 'date-time', 'email', 'uri']);

/** Simplifies a schema and its subschemas. `answer` is true for schemas of answers, false for schemas of requests. */
export function tidySchema(schema: JsonSchema, { answer }: { answer: boolean }): JsonSchema {
  const tidied = mapSubschemas(schema, (inner) => tidySchema(inner, { answer }));
  if (tidied.pattern && tidied.format && plainFormats.has(tidied.format)) delete tidied.pattern;
  if (answer && tidied.format === 'date-time') tidied.pattern = instantPattern;
  // The limits of a safe integer need no mention.
  if (tidied.minimum === Number.MIN_SAFE_INTEGER) delete tidied.minimum;
  if (tidied.maximum === Number.MAX_SAFE_INTEGER) delete tidied.maximum;
  // The names of a JSON object are always strings.
  if (tidied.propertyNames && JSON.stringify(tidied.propertyNames) === '{"type":"string"}')
    delete tidied.propertyNames;
  // Answers may gain fields at any time, and a client that refuses unknown fields would break.
  if (answer && tidied.additionalProperties === false) delete tidied.additionalProperties;
  return tidied;
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

/** The same schema with a function applied to each direct subschema. */
function mapSubschemas(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
  const mapped = { ...schema };
  for (const keyword of ['properties', 'patternProperties', '$defs'] as const) {
    const named = schema[keyword] as Record<string, JsonSchema> | undefined;
    if (named) {
      mapped[keyword] = Object.fromEntries(
        Object.entries(named).map(([name, inner]) => [name, change(inner)]),
      );
    }
  }
  for (const keyword of ['anyOf', 'oneOf', 'allOf', 'prefixItems'] as const) {
    const several = schema[keyword] as JsonSchema[] | undefined;
    if (several) mapped[keyword] = several.map(change);
  }
  for (const keyword of ['items', 'additionalProperties', 'propertyNames', 'not'] as const) {
    const one = schema[keyword];
    if (typeof one === 'object' && one !== null) mapped[keyword] = change(one as JsonSchema);
  }
  return mapped;
}
