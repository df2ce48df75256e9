import type { z } from 'zod';
import type { Route } from '../route-table.ts';
import type { Operation, Parameter, Reference } from './document.ts';
import { sampleId } from './sample.ts';
import { tidySchema } from './tidy-schema.ts';

/** Request headers that many operations take, by the names they are referred to. */
export const sharedParameters: Record<string, Parameter> = {
  'Idempotency-Key': {
    in: 'header',
    name: 'Idempotency-Key',
    description: 'Makes the write safe to send again: the same key gets the same answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: 'register-ada-2026-11-20',
  },
  'If-None-Match': {
    in: 'header',
    name: 'If-None-Match',
    description: 'The `ETag` of the answer you have; `304` if it is still current.',
    schema: { type: 'string' },
  },
};

/** The parameters of an operation: those of its path and query, tidied and with examples, and the headers it takes. */
export function parametersOf(operation: Operation, route: Route): (Parameter | Reference)[] {
  const given = (operation.parameters ?? []) as Parameter[];
  const header = route.type === 'mutation' ? 'Idempotency-Key' : 'If-None-Match';
  return [
    ...given.map((parameter) => toParameter(parameter, route)),
    { $ref: `#/components/parameters/${header}` },
  ];
}

function toParameter({ in: place, name, required, schema }: Parameter, { input }: Route): Parameter {
  // The generator looks below optional() and loses what was said on top of it.
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
