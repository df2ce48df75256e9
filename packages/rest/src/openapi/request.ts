import { z } from 'zod';
import { isEdit, type Route } from '../route-table.ts';
import type { Operation, Parameter } from './document.ts';
import { sampleId } from './sample.ts';

/** Request headers of many operations, by the names of their references. */
export const sharedParameters: Record<string, Parameter> = {
  'Idempotency-Key': {
    in: 'header',
    name: 'Idempotency-Key',
    description: 'Makes the write safe to retry: a request with the same key gets the same answer.',
    schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[\\x21-\\x7e]+$' },
    example: 'register-ada-2026-11-20',
  },
  'If-Match': {
    in: 'header',
    name: 'If-Match',
    description:
      'The `ETag` of the record that the change began with. If the record was edited since, the answer is `412` and nothing is ' +
      'changed. Without the header the last change wins.',
    schema: { type: 'string' },
    example: '"5f1d8a0b93c2e764.1d3-kVbdY2hGmzWm0vYx4uJ9o0Yk1nA"',
  },
  'If-None-Match': {
    in: 'header',
    name: 'If-None-Match',
    description: 'The `ETag` of an earlier answer. While it is current, the answer is `304` without a body.',
    schema: { type: 'string' },
  },
};

/** The parameters of an operation: path and query as trpc-to-openapi gives them, and headers. */
export function parametersOf(route: Route, generated: Operation['parameters'] = []): Operation['parameters'] {
  const headers = route.type === 'mutation' ? ['Idempotency-Key'] : ['If-None-Match'];
  if (isEdit(route)) headers.push('If-Match');
  return [
    ...(generated as Parameter[]).map((parameter) => describe(parameter, route.input)),
    ...headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
  ];
}

/** Adds what trpc-to-openapi drops with the `optional()` of a schema. */
function describe(parameter: Parameter, { shape }: Route['input']): Parameter {
  const { description: inner, ...schema } = parameter.schema;
  const { description = inner, examples } = z.globalRegistry.get(shape[parameter.name]!) ?? {};
  return {
    ...parameter,
    description,
    schema: { ...schema, ...(examples && { examples: examples as unknown[] }) },
    ...(parameter.in === 'path' && { example: sampleId(parameter.name) }),
  };
}
