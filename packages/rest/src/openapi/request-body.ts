import { z } from 'zod';
import type { Route } from '../route-table.ts';
import { json, type JsonSchema, type Operation } from './document.ts';
import { tidySchema } from './tidy-schema.ts';

/** The body of a write. Undefined where there are no fields but those of the path. */
export function requestBodyOf(
  operation: Operation,
  { input, pathParameters }: Route,
): Operation['requestBody'] {
  const generated = operation.requestBody?.content[json]?.schema;
  if (!generated) return undefined;
  const schema: JsonSchema = {
    ...tidySchema(generated, { answer: false }),
    // Lost by the generator where the input has refinements.
    ...(input._zod.def.catchall instanceof z.ZodNever && { additionalProperties: false }),
  };
  return {
    // No body at all is read as an empty object.
    required: (schema.required ?? []).some((name) => !pathParameters.includes(name)),
    content: { [json]: { schema } },
  };
}
