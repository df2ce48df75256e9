import type { JsonSchema } from './document.ts';

/** The same schema with a function applied to each schema directly inside. */
export function mapSubschemas(schema: JsonSchema, change: (inner: JsonSchema) => JsonSchema): JsonSchema {
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
