// trpc-to-openapi makes the document of the procedures with a REST route. Names, statuses, headers, errors, examples and webhooks are
// added here.
import { allScopes, scopes } from '@service/catalogue';
import { httpStatusByKind, type DocumentedErrors } from '@service/errors';
import type { AnyServiceRouter } from '@service/trpc';
import { readFileSync } from 'node:fs';
import { generateOpenApiDocument } from 'trpc-to-openapi';
import { listRoutes, type Route } from '../route-table.ts';
import { answerIn, nameComponents, type Components } from './components.ts';
import {
  headers,
  json,
  referredName,
  refersTo,
  type OpenApiDocument,
  type Operation,
  type Response,
  type Tag,
} from './document.ts';
import { ErrorAnswer, sharedResponses } from './errors.ts';
import { deprecate, parametersOf, responsesOf, sharedParameters } from './operation.ts';
import { addExamples, createSampler, type Samples } from './sample.ts';
import { describeDefaults, wrapLists } from './tidy-schema.ts';
import { callbacksOf, describeWebhooks, bodiesOf, type WebhookEvent } from './webhooks.ts';

export interface DocumentOptions {
  router: AnyServiceRouter;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
  title: string;
  version: string;
  /** Markdown. The sections for all operations and the errors follow it. */
  introduction: string;
  limits: ProtocolLimits;
  /** Every code of an answer. */
  errors: DocumentedErrors;
  /** In their order on the page. */
  tags: readonly Tag[];
  samples: Samples;
  webhooks?: {
    tag: string;
    description: string;
    events: readonly WebhookEvent[];
    /** The operations that make the service send events, with the place of the URL in their bodies, such as `action/url`. */
    senders: Readonly<Record<string, string>>;
  };
}

/** The OpenAPI 3.1 document of a router's REST routes. */
export function createOpenApiDocument(options: DocumentOptions): OpenApiDocument {
  const { router, baseUrl, errors } = options;
  const routes = listRoutes(router);
  const { events = [], tag = '', senders = {} } = options.webhooks ?? {};
  const answers = [ErrorAnswer, ...bodiesOf(events)];
  const document = generateOpenApiDocument(router, {
    ...infoOf(options),
    baseUrl: `${baseUrl}/api/v1`,
    docsUrl: docsUrl(baseUrl),
    securitySchemes: {
      apiKey: { type: 'http', scheme: 'bearer', description: 'An API key: `svc_live_` and 32 characters.' },
    },
    defs: Object.fromEntries(answers.map((schema) => [schema.meta()!.id, schema])),
  }) as OpenApiDocument;
  const { paths, components } = document;
  const operations = new Map(
    routes.map((route) => [route, paths[route.template]![route.method.toLowerCase()]!]),
  );
  const references = answers.map((schema) => refersTo(schema.meta()!.id!));
  const named = nameComponents(components.schemas, operations, references);
  const { schemas } = named;
  const shared = sharedResponses(routes, { errors, docsUrl: docsUrl(baseUrl) });
  for (const [route, operation] of operations) {
    complete(operation, route, { named, shared });
    const url = senders[operation.operationId!];
    if (url !== undefined) operation.callbacks = callbacksOf(operation, { url, tag, events });
  }
  document.components = { ...components, schemas, headers, parameters: sharedParameters, responses: shared };
  if (events.length > 0) document.webhooks = describeWebhooks(events, tag);
  document['x-error-codes'] = listErrorCodes(errors);
  dropUnused(document);
  wrapLists(schemas);
  addExamples(document, createSampler(schemas, options.samples));
  // After the examples, which contain the defaults.
  describeDefaults(schemas);
  document.tags = tagsOf(document, options.tags);
  return document;
}

const docsUrl = (baseUrl: string): string => `${baseUrl}/api/v1/docs`;

function infoOf({ title, version, introduction, ...options }: DocumentOptions) {
  const { limits, webhooks, baseUrl } = options;
  const sections = [
    introduction,
    describeProtocol(limits),
    webhooks?.description,
    describeErrors(docsUrl(baseUrl)),
  ];
  return {
    title,
    version,
    description: sections.filter(Boolean).join('\n\n'),
    contact: { name: 'The people who run this service', url: baseUrl },
    license: { name: 'Proprietary', url: baseUrl },
  };
}

/** Adds to a generated operation what trpc-to-openapi does not know. */
function complete(
  operation: Operation,
  route: Route,
  { named, shared }: { named: Components; shared: Record<string, Response> },
): void {
  const { scope, deprecation } = route;
  const { parameters, requestBody } = operation;
  const answer = answerIn(operation);
  const needs = scope ? `Requires the scope \`${scope}\`.` : 'Requires any valid key.';
  operation.description = [operation.description, needs].filter(Boolean).join('\n\n');
  if (scope) operation['x-required-scope'] = scope;
  operation.parameters = parametersOf(route, parameters && named.inRequest(parameters), named.schemas);
  if (requestBody) {
    const { content } = named.inRequest(requestBody);
    const { required = [] } = named.schemas[referredName(content[json]!.schema!)!]!;
    // A request without a body counts as an empty object.
    operation.requestBody = { required: required.length > 0, content };
  }
  operation.responses = responsesOf(route, answer && named.inAnswer(answer), named.schemas);
  if (deprecation) deprecate(operation, deprecation, shared);
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

interface ProtocolLimits {
  /** For each account, over all its keys, connectors and surfaces. */
  rateLimit: { requests: number; windowSeconds: number };
  /** The answer to an Idempotency-Key is kept for this time. */
  idempotencyWindowHours: number;
}

/** The sections for all operations. */
function describeProtocol({ rateLimit, idempotencyWindowHours }: ProtocolLimits): string {
  const rows = allScopes.map((scope) => `| \`${scope}\` | ${scopes[scope]} |`);
  const values: Record<string, unknown> = { ...rateLimit, idempotencyWindowHours, scopes: rows.join('\n') };
  const text = readFileSync(new URL('protocol.md', import.meta.url), 'utf8').trimEnd();
  return text.replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(values[name]));
}

/** A map of every code to its status, its message and what to do, for programs. */
const listErrorCodes = (
  errors: DocumentedErrors,
): Record<string, { status: number; message: string; remedy: string }> =>
  Object.fromEntries(
    sortedCodes(errors).map(([code, { kind, message, remedy }]) => [
      code,
      { status: httpStatusByKind[kind], message, remedy },
    ]),
  );

const describeErrors = (url: string): string => `# Errors

Every error has the same shape: \`code\` for programs, \`message\` for people, \`issues\` with every problem of the input (one that depends
on records or on the address of a webhook is named when the others are solved), \`requestId\` and \`docUrl\`, which leads to the code in the [list of all error codes](${url}/errors) with what to do. An unknown path is answered \`404\`. A
method that the path does not support is answered \`405\` with \`Allow\`.`;

const sortedCodes = (errors: DocumentedErrors) =>
  Object.entries(errors).toSorted(([a], [b]) => (a < b ? -1 : 1));
