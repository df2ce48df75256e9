// The document is generated from the procedures and then made true: real statuses, headers, scopes and errors.
import { httpStatusByKind, type ErrorCatalogue } from '@service/errors';
import type { AnyServiceRouter } from '@service/trpc';
import { generateOpenApiDocument, type OpenApiRouter, type OpenAPIObject } from 'trpc-to-openapi';
import { listRoutes, type Route } from './route-table.ts';

interface DocumentOptions {
  router: AnyServiceRouter;
  /** The address callers use, without a trailing slash. */
  baseUrl: string;
  title: string;
  version: string;
  description: string;
  /** Every code an answer can carry; listed in the description so that each has an anchor. */
  errors: ErrorCatalogue;
}

type Operation = NonNullable<NonNullable<OpenAPIObject['paths']>[string]['get']>;
type Response = Record<string, unknown>;

const errorReference = { $ref: '#/components/schemas/Error' };

const errorSchema = {
  type: 'object',
  required: ['code', 'message', 'requestId', 'docUrl'],
  additionalProperties: false,
  properties: {
    code: { type: 'string', description: 'A stable identifier in snake_case.', examples: ['not_found'] },
    message: { type: 'string', description: 'A sentence for people.' },
    issues: {
      type: 'array',
      description: 'Every problem of the input.',
      items: {
        type: 'object',
        required: ['path', 'message'],
        properties: { path: { type: 'string' }, message: { type: 'string' } },
      },
    },
    details: { type: 'object', description: 'Facts a program can use.', additionalProperties: true },
    requestId: { type: 'string', description: 'The same as X-Request-Id.' },
    docUrl: { type: 'string', format: 'uri' },
  },
} as const;

const requestIdHeader = {
  'X-Request-Id': { description: 'Identifies the request.', schema: { type: 'string' } },
};
const locationHeader = {
  Location: { description: 'The path of what was created.', schema: { type: 'string' } },
};

const errorTexts: Record<number, string> = {
  400: 'Malformed request.',
  401: 'Invalid API key: missing, malformed, unknown, revoked, without this surface or without the scope.',
  404: 'Not found, or not in this workspace.',
  409: 'In conflict with the state of things.',
  413: 'The body is too large.',
  415: 'The body is not JSON.',
  422: 'Well-formed, but some values were refused.',
  500: 'Our fault.',
};

/** The OpenAPI 3.1 document of a router's REST routes. */
export function createOpenApiDocument(options: DocumentOptions): OpenAPIObject {
  const document = generateOpenApiDocument(options.router as unknown as OpenApiRouter, {
    title: options.title,
    version: options.version,
    description: `${options.description}\n\n${describeErrors(options.errors)}`,
    baseUrl: `${options.baseUrl}/api/v1`,
    openApiVersion: '3.1.0',
    license: { name: 'Proprietary', url: options.baseUrl },
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `svc_live_` and 32 characters.' },
    },
  });
  // The generator's own error schemas describe answers that are never given.
  document.components = {
    schemas: { Error: structuredClone(errorSchema) as never },
    securitySchemes: document.components?.securitySchemes,
  };
  for (const route of listRoutes(options.router)) {
    const operation = operationOf(document, route);
    const needs = route.scope ? `Needs the scope \`${route.scope}\`.` : 'Any valid key may call it.';
    operation.description = [operation.description, needs].filter(Boolean).join('\n\n');
    if (route.scope) Object.assign(operation, { 'x-required-scope': route.scope });
    operation.responses = responsesOf(operation, route) as Operation['responses'];
  }
  return document;
}

function operationOf(document: OpenAPIObject, { method, template }: Route): Operation {
  const operation = document.paths?.[template]?.[method.toLowerCase() as 'get'];
  if (!operation) throw new Error(`${method} ${template} is not in the generated document`);
  return operation;
}

function responsesOf(operation: Operation, route: Route): Record<string, Response> {
  const generated = (operation.responses as Record<string, Response>)['200']!;
  const headers = { ...requestIdHeader, ...(route.status === 201 && locationHeader) };
  const success = route.status === 204 ? { description: 'Done.', headers } : { ...generated, headers };
  const there = { ...generated, description: 'It was there already; nothing was changed.', headers };
  const errors = errorStatusesOf(route).map((status) => [
    status,
    {
      description: errorTexts[status]!,
      headers: requestIdHeader,
      content: { 'application/json': { schema: errorReference } },
    },
  ]);
  return {
    ...(route.statusWhenThere && { [route.statusWhenThere]: there }),
    [route.status]: success,
    ...Object.fromEntries(errors),
  };
}

function errorStatusesOf({ type, pathParameters, input }: Route): number[] {
  const hasPath = pathParameters.length > 0;
  const hasFields = Object.keys(input.shape).length > pathParameters.length;
  return [
    ...(hasFields || type === 'mutation' ? [400] : []),
    401,
    ...(hasPath ? [404] : []),
    ...(type === 'mutation' ? [409, 413, 415] : []),
    422,
    500,
  ];
}

/** A heading for each code; the docs page makes an anchor of each, which `docUrl` points at. */
function describeErrors(errors: ErrorCatalogue): string {
  const entries = Object.entries(errors)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, { kind, message }]) => `## ${code}\n\n\`${httpStatusByKind[kind]}\` ${message}`);
  return ['# Errors', ...entries].join('\n\n');
}
