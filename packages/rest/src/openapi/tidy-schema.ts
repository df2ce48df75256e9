// What zod writes into a schema is exact and hard to read. Here it becomes what a person or a generator can use.
import type { JsonSchema } from './document.ts';
import { mapSubschemas } from './map-subschemas.ts';

/** Answers carry instants in exactly this form. */
const instantPattern = String.raw`^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$`;

/** Formats that say what the long pattern beside them says. */
const plainFormats = new Set(['uuid', 'date-time', 'email', 'uri']);

/** Tidies a schema and everything in it. `answer` schemas say what we send, others what we take. */
export function tidySchema(schema: JsonSchema, { answer }: { answer: boolean }): JsonSchema {
  const tidied = mapSubschemas(schema, (inner) => tidySchema(inner, { answer }));
  if (tidied.pattern && tidied.format && plainFormats.has(tidied.format)) delete tidied.pattern;
  if (answer && tidied.format === 'date-time') tidied.pattern = instantPattern;
  // The bounds of a safe integer go without saying.
  if (tidied.minimum === Number.MIN_SAFE_INTEGER) delete tidied.minimum;
  if (tidied.maximum === Number.MAX_SAFE_INTEGER) delete tidied.maximum;
  // Fields may be added to answers at any time: a client that refuses unknown ones would break.
  if (answer && tidied.additionalProperties === false) delete tidied.additionalProperties;
  return tidied;
}
