import type { Deprecation } from '@service/trpc';
import { z } from 'zod';
import { isEdit, type Route } from '../route-table.ts';
import {
  authenticatedHeaders,
  headerReferences,
  json,
  optionalHeaders,
  referredName,
  type JsonSchema,
  type Operation,
  type Parameter,
  type Response,
} from './document.ts';
import { errorResponsesOf } from './errors.ts';
import protocol from './protocol.json' with { type: 'json' };
import { sampleId } from './sample.ts';

/** Request headers of many operations, by the names of their references. */
export const sharedParameters: Record<string, Parameter> = protocol.parameters;

/** The parameters of an operation: path and query as trpc-to-openapi gives them, and headers. */
export function parametersOf(
  route: Route,
  generated: Operation['parameters'] = [],
  schemas: Readonly<Record<string, JsonSchema>>,
): Operation['parameters'] {
  const headers = route.type === 'mutation' ? ['Idempotency-Key'] : ['If-None-Match'];
  if (isEdit(route)) headers.push('If-Match');
  return [
    ...(generated as Parameter[]).map((parameter) => describe(parameter, route.input, schemas)),
    ...headers.map((header) => ({ $ref: `#/components/parameters/${header}` })),
  ];
}

/** Adds what trpc-to-openapi drops with the `optional()` of a schema. A parameter without words of its own has those of its component. */
function describe(
  parameter: Parameter,
  { shape }: Route['input'],
  schemas: Readonly<Record<string, JsonSchema>>,
): Parameter {
  const { description: own, ...schema } = parameter.schema;
  const inner = own ?? schemas[referredName(schema) ?? '']?.description;
  const field = shape[parameter.name];
  const { description = inner, examples } = z.globalRegistry.get(field) ?? {};
  const choice = field instanceof z.ZodEnum ? field.options[0] : schema.enum?.[0];
  return {
    ...parameter,
    description,
    schema: { ...schema, ...(examples && { examples }) },
    ...(parameter.in === 'path' && { example: choice ?? sampleId(parameter.name) }),
  };
}

/** The answers of an operation, by status. */
export function responsesOf(
  route: Route,
  answer: JsonSchema | undefined,
  schemas: Readonly<Record<string, JsonSchema>>,
): Operation['responses'] {
  const content = route.status !== 204 && answer && { [json]: { schema: answer } };
  const isPage = content && 'pagination' in schemas[referredName(answer)!]!.properties!;
  return {
    ...(route.statusWhenThere && {
      [route.statusWhenThere]: {
        description: 'It exists already. Nothing was changed.',
        headers: { ...writeHeaders, ...optionalHeaders('Location') },
        ...(content && { content }),
      },
    }),
    [route.status]: {
      description: descriptionOf(route),
      headers: route.type === 'query' ? readHeaders(isPage) : headersOfWrite(route),
      ...(content && { content }),
    },
    ...(route.type === 'query' && { 304: { $ref: '#/components/responses/NotModified' } }),
    ...errorResponsesOf(route),
  };
}

const writeHeaders = { ...authenticatedHeaders, ...headerReferences('Idempotent-Replayed') };

const headersOfWrite = ({ status, isRecord }: Route): Response['headers'] => ({
  ...writeHeaders,
  ...(isRecord && headerReferences('ETag')),
  ...(status === 201 && headerReferences('Location')),
  ...(status === 202 && optionalHeaders('Location')),
});

const readHeaders = (isPage = false): Response['headers'] => ({
  ...authenticatedHeaders,
  ...headerReferences('ETag', 'Cache-Control', ...(isPage ? ['Link'] : [])),
});

function descriptionOf({ status, type }: Route): string {
  if (status === 201) return 'Created.';
  if (status === 202) return 'Accepted. The work is done shortly.';
  if (status === 204) return 'Done. No body.';
  return type === 'query' ? 'The requested data.' : 'Done.';
}

/** Describes the deprecation of an operation, with the headers of its answers. */
export function deprecate(
  operation: Operation,
  { since, sunset, successor }: Deprecation,
  shared: Readonly<Record<string, Response>>,
): void {
  const instead = successor ? ` Use \`${successor}\`.` : '';
  operation.description = `**Deprecated** since ${since}. It stops answering on ${sunset}.${instead}\n\n${operation.description}`;
  const headers = headerReferences('Deprecation', 'Sunset', ...(successor ? ['Link'] : []));
  for (const [status, response] of Object.entries(operation.responses)) {
    // These refusals are answered before the headers of the route are set.
    if (['401', '403', '429'].includes(status)) continue;
    const resolved = '$ref' in response ? shared[response.$ref.split('/').at(-1)!]! : response;
    operation.responses[status] = { ...resolved, headers: { ...resolved.headers, ...headers } };
  }
}
