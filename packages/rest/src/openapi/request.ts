import { z } from 'zod';
import { isEdit, type Route } from '../route-table.ts';
import type { Operation, Parameter } from './document.ts';
import protocol from './protocol.json' with { type: 'json' };
import { sampleId } from './sample.ts';

/** Request headers of many operations, by the names of their references. */
export const sharedParameters: Record<string, Parameter> = protocol.parameters;

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
  const { description = inner, examples } = z.globalRegistry.get(shape[parameter.name]) ?? {};
  return {
    ...parameter,
    description,
    schema: { ...schema, ...(examples && { examples }) },
    ...(parameter.in === 'path' && { example: sampleId(parameter.name) }),
  };
}
