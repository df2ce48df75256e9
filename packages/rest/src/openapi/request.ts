import type { z } from 'zod';
import { isEdit, type Route } from '../route-table.ts';
import {
  json,
  referredName,
  type JsonSchema,
  type Operation,
  type Parameter,
  type Reference,
} from './document.ts';
import type { RouteSchemas } from './name-schemas.ts';
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

/** The parameters of an operation: path, query and headers. */
export function parametersOf(route: Route, { parameters }: RouteSchemas): (Parameter | Reference)[] {
  const { pathParameters, type } = route;
  const query = Object.keys(parameters).filter((name) => !pathParameters.includes(name));
  const headers = type === 'mutation' ? ['Idempotency-Key'] : ['If-None-Match'];
  if (isEdit(route)) headers.push('If-Match');
  return [
    ...[...pathParameters, ...query].map((name) => toParameter(name, parameters[name]!, route)),
    ...headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
  ];
}

function toParameter(
  name: string,
  { description, ...schema }: JsonSchema,
  { pathParameters, input }: Route,
): Parameter {
  const isInPath = pathParameters.includes(name);
  return {
    in: isInPath ? 'path' : 'query',
    name,
    ...(description !== undefined && { description }),
    required: isInPath || !(input.shape[name] as z.ZodType).isOptional(),
    schema,
    ...(isInPath && { example: sampleId(name) }),
  };
}

/** The body of a write. A request without a body counts as an empty object. */
export function requestBodyOf(
  { body }: RouteSchemas,
  components: Readonly<Record<string, JsonSchema>>,
): Operation['requestBody'] {
  if (!body) return undefined;
  const { required = [] } = components[referredName(body)!]!;
  return { required: required.length > 0, content: { [json]: { schema: body } } };
}
