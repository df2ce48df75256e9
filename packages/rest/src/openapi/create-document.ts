// The document of the procedures with a REST route: schemas and texts of the procedures, statuses, headers, errors and examples.
import type { ErrorCatalogue } from '@service/errors';
import type { AnyServiceRouter } from '@service/trpc';
import { listRoutes, type Route } from '../route-table.ts';
import { describeErrors, describeProtocol, listErrorCodes, type ProtocolLimits } from './describe.ts';
import type { OpenApiDocument, Operation, Response, Tag } from './document.ts';
import { ErrorAnswer, sharedErrorResponses } from './errors.ts';
import { headers } from './headers.ts';
import { nameSchemas, type NamedSchemas } from './name-schemas.ts';
import { parametersOf, requestBodyOf, sharedParameters } from './request.ts';
import { deprecate, responsesOf } from './responses.ts';
import { addExamples, createSampler, type Samples } from './sample.ts';
import { describeDefaults } from './tidy-schema.ts';
import { describeWebhooks, envelopeOf, type WebhookEvent } from './webhooks.ts';

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
  const routes = listRoutes(router);
  const { events = [], tag = '' } = options.webhooks ?? {};
  const named = nameSchemas(routes, [ErrorAnswer, ...events.map(envelopeOf)]);
  const shared = sharedErrorResponses(routes, { errors, docsUrl: docsUrl(baseUrl) });
  const document: OpenApiDocument = {
    openapi: '3.1.0',
    info: infoOf(options),
    servers: [{ url: `${baseUrl}/api/v1` }],
    externalDocs: { url: docsUrl(baseUrl) },
    paths: {},
    ...(events.length > 0 && { webhooks: describeWebhooks(events, tag) }),
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `svc_live_` and 32 characters.' },
      },
      schemas: named.components,
      headers,
      parameters: sharedParameters,
      responses: shared,
    },
    'x-error-codes': listErrorCodes(errors),
  };
  for (const route of routes) {
    const path = (document.paths[route.template] ??= {});
    path[route.method.toLowerCase()] = operationOf(route, named, shared);
  }
  dropUnused(document);
  addExamples(document, createSampler(named.components, options.samples));
  // After the examples, which contain the defaults.
  describeDefaults(named.components);
  document.tags = tagsOf(document, options.tags);
  return document;
}

const docsUrl = (baseUrl: string): string => `${baseUrl}/api/v1/docs`;

function infoOf({ title, version, introduction, ...options }: DocumentOptions): OpenApiDocument['info'] {
  const { limits, webhooks, errors, baseUrl } = options;
  const sections = [introduction, describeProtocol(limits), webhooks?.description, describeErrors(errors)];
  return {
    title,
    version,
    description: sections.filter(Boolean).join('\n\n'),
    contact: { name: 'The people who run this service', url: baseUrl },
    license: { name: 'Proprietary', url: baseUrl },
  };
}

function operationOf(
  route: Route,
  { components, schemasOf }: NamedSchemas,
  shared: Record<string, Response>,
): Operation {
  const { scope, deprecation } = route;
  const { operationId, summary, description, tags } = route.operation;
  const schemas = schemasOf(route);
  const needs = scope ? `Requires the scope \`${scope}\`.` : 'Requires any valid key.';
  const operation: Operation = {
    operationId,
    summary,
    description: [description, needs].filter(Boolean).join('\n\n'),
    tags,
    security: [{ apiKey: [] }],
    ...(scope && { 'x-required-scope': scope }),
    parameters: parametersOf(route, schemas),
    requestBody: requestBodyOf(schemas, components),
    responses: responsesOf(route, schemas, components),
  };
  if (deprecation) deprecate(operation, deprecation, shared);
  return operation;
}

/** Removes the headers, parameters and answers that no operation of this router has. */
function dropUnused({ paths, components }: OpenApiDocument): void {
  let text = JSON.stringify(paths);
  for (const kind of ['responses', 'headers', 'parameters'] as const) {
    const used = Object.entries(components[kind]!).filter(([name]) =>
      text.includes(`"#/components/${kind}/${name}"`),
    );
    components[kind] = Object.fromEntries(used) as never;
    text += JSON.stringify(components[kind]);
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
