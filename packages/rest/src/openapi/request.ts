import { z } from 'zod';
import type { Route } from '../route-table.ts';
import { json, type JsonSchema, type Operation, type Parameter, type Reference } from './document.ts';
import { sampleId } from './sample.ts';
import { tidySchema } from './tidy-schema.ts';

/** Request headers of many operations, by the names of their references. */
export const sharedParameters: Record<string, Parameter> = {
  'Idempotency-Key': {
    in: 'header',
    name: 'Idempotency-Key',
    description: 'Makes the write safe to retry: a request with the same key gets the same answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: 'register-ada-2026-11-20',
  },
  'If-None-Match': {
    in: 'header',
    name: 'If-None-Match',
    description: 'The `ETag` of an earlier answer. While it is current, the answer is `304` without a body.',
    schema: { type: 'string' },
  },
};

/** The parameters of an operation: path, query and headers. */
export function parametersOf(operation: Operation, route: Route): (Parameter | Reference)[] {
  const given = (operation.parameters ?? []) as Parameter[];
  const header = route.type === 'mutation' ? 'Idempotency-Key' : 'If-None-Match';
  return [
    ...given.map((parameter) => toParameter(parameter, route)),
    { $ref: `#/components/parameters/${header}` },
  ];
}

function toParameter({ in: place, name, required, schema }: Parameter, { input }: Route): Parameter {
  // The generator unwraps optional() and loses its description.
  const description = (input.shape[name] as z.ZodType).description ?? schema.description;
  const { description: _, ...tidied } = tidySchema(schema, { answer: false });
  return {
    in: place,
    name,
    ...(description !== undefined && { description }),
    required: required ?? false,
    schema: tidied,
    ...(place === 'path' && { example: sampleId(name) }),
  };
}

/** The body of a write. Undefined when all its fields are in the path. */
export function requestBodyOf(
  operation: Operation,
  { input, pathParameters }: Route,
): Operation['requestBody'] {
  const generated = operation.requestBody?.content[json]?.schema;
  if (!generated) return undefined;
  const schema: JsonSchema = {
    ...tidySchema(generated, { answer: false }),
    // The generator loses this for an input with refinements.
    ...(input._zod.def.catchall instanceof z.ZodNever && { additionalProperties: false }),
  };
  return {
    // A request without a body counts as an empty object.
    required: (schema.required ?? []).some((name) => !pathParameters.includes(name)),
    content: { [json]: { schema } },
  };
}
