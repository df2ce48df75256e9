// The document is generated from the procedures. Then the real statuses, headers, scopes, errors and examples are added.
import type { ErrorCatalogue } from '@service/errors';
import type { AnyServiceRouter } from '@service/trpc';
import { generateOpenApiDocument, type OpenApiRouter } from 'trpc-to-openapi';
import { listRoutes, type Route } from '../route-table.ts';
import { describeErrors, describeProtocol, listErrorCodes, type ProtocolLimits } from './describe.ts';
import type { JsonSchema, OpenApiDocument, Operation, Response, Tag } from './document.ts';
import { errorSchema, sharedErrorResponses } from './errors.ts';
import { headers } from './headers.ts';
import { nameRecords } from './name-records.ts';
import { parametersOf, requestBodyOf, sharedParameters } from './request.ts';
import { deprecate, responsesOf } from './responses.ts';
import { addExamples, createSampler, type Samples } from './sample.ts';
import { tidySchema } from './tidy-schema.ts';
import { describeWebhooks, type WebhookEvent } from './webhooks.ts';

export interface DocumentOptions {
  router: AnyServiceRouter;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  title: string;
  version: string;
  /** Markdown. The sections for all operations and the errors follow it. */
  introduction: string;
  limits: ProtocolLimits;
  /** Every code of an answer. The description lists them, so that each has an anchor. */
  errors: ErrorCatalogue;
  /** In their order on the page. */
  tags: readonly Tag[];
  samples: Samples;
  webhooks?: { tag: string; description: string; events: readonly WebhookEvent[] };
}

/** The OpenAPI 3.1 document of a router's REST routes. */
export function createOpenApiDocument(options: DocumentOptions): OpenApiDocument {
  const { router, baseUrl, errors } = options;
  const document = generate(options);
  const { webhooks, schemas: events } = describeWebhooks(
    options.webhooks?.events ?? [],
    options.webhooks?.tag ?? '',
  );
  const shared = sharedErrorResponses({ errors, docsUrl: docsUrl(baseUrl) });
  document.components = {
    securitySchemes: document.components.securitySchemes,
    schemas: { ...recordsOf(document), ...events, Error: errorSchema },
    headers,
    parameters: sharedParameters,
    responses: shared,
  };
  for (const route of listRoutes(router)) complete(operationOf(document, route), route, { shared, options });
  nameRecords(document);
  const sample = createSampler(document.components.schemas, options.samples);
  addExamples(document, sample);
  if (Object.keys(webhooks).length > 0) document.webhooks = webhooks;
  document.tags = tagsOf(document, options.tags);
  document['x-error-codes'] = listErrorCodes(errors);
  dropUnused(document);
  return document;
}

const docsUrl = (baseUrl: string): string => `${baseUrl}/api/v1/docs`;

function generate({ router, baseUrl, ...options }: DocumentOptions): OpenApiDocument {
  const document = generateOpenApiDocument(router as unknown as OpenApiRouter, {
    title: options.title,
    version: options.version,
    description: [
      options.introduction,
      describeProtocol(options.limits),
      options.webhooks?.description,
      describeErrors(options.errors),
    ]
      .filter(Boolean)
      .join('\n\n'),
    baseUrl: `${baseUrl}/api/v1`,
    docsUrl: docsUrl(baseUrl),
    openApiVersion: '3.1.0',
    contact: { name: 'The people who run this service', url: baseUrl },
    license: { name: 'Proprietary', url: baseUrl },
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `svc_live_` and 32 characters.' },
    },
  });
  return document as unknown as OpenApiDocument;
}

/** The schemas that modules have named. The error schemas of the generator are left out: no answer has their shape. */
const recordsOf = ({ components }: OpenApiDocument): Record<string, JsonSchema> =>
  Object.fromEntries(
    Object.entries(components.schemas ?? {})
      .filter(([name]) => !name.startsWith('error.'))
      .map(([name, schema]) => [name, tidySchema(schema, { answer: true })]),
  );

function operationOf(document: OpenApiDocument, { method, template }: Route): Operation {
  const operation = document.paths[template]?.[method.toLowerCase()];
  if (!operation) throw new Error(`${method} ${template} is not in the generated document`);
  return operation;
}

interface Context {
  shared: Record<string, Response>;
  options: DocumentOptions;
}

function complete(operation: Operation, route: Route, { shared, options }: Context): void {
  const needs = route.scope ? `Requires the scope \`${route.scope}\`.` : 'Requires any valid key.';
  operation.description = [operation.description, needs].filter(Boolean).join('\n\n');
  if (route.scope) operation['x-required-scope'] = route.scope;
  operation.parameters = parametersOf(operation, route);
  operation.requestBody = requestBodyOf(operation, route);
  operation.responses = responsesOf(operation, route, {
    errors: options.errors,
    docsUrl: docsUrl(options.baseUrl),
  });
  if (route.deprecation) deprecate(operation, route.deprecation, shared);
}

/** Removes the headers, parameters and answers that no operation of this router has. */
function dropUnused(document: OpenApiDocument): void {
  for (const kind of ['responses', 'headers', 'parameters'] as const) {
    const text = JSON.stringify(document);
    const used = Object.entries(document.components[kind]!).filter(([name]) =>
      text.includes(`"#/components/${kind}/${name}"`),
    );
    document.components[kind] = Object.fromEntries(used) as never;
  }
}

/** The tags that are used, in the given order. Tags without a description are last, where a test finds them. */
function tagsOf(document: OpenApiDocument, tags: readonly Tag[]): Tag[] {
  const operations = [document.paths, document.webhooks ?? {}].flatMap((items) =>
    Object.values(items).flatMap((item) => Object.values(item)),
  );
  const used = new Set(operations.flatMap((operation) => operation.tags ?? []));
  const described = tags.filter(({ name }) => used.delete(name));
  return [...described, ...[...used].map((name) => ({ name, description: '' }))];
}
