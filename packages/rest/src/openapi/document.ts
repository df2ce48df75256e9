// The parts of an OpenAPI 3.1 document that are read and written here, without the choices that this document does not use.
import type { oas31 } from 'zod-openapi';
import protocol from './protocol.json' with { type: 'json' };

export interface JsonSchema {
  [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  format?: string;
  pattern?: string;
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  additionalProperties?: boolean | JsonSchema;
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  oneOf?: JsonSchema[];
  enum?: unknown[];
  default?: unknown;
  examples?: unknown[];
  discriminator?: { propertyName: string; mapping: Record<string, string> };
}

export interface Reference {
  $ref: string;
}

export interface Header {
  description: string;
  required?: boolean;
  schema: JsonSchema;
}

interface MediaType {
  schema?: JsonSchema;
  example?: unknown;
  examples?: Record<string, { summary?: string; value: unknown }>;
}

export interface Response {
  description: string;
  headers?: Record<string, Header | Reference>;
  content?: Record<string, MediaType>;
}

export interface Parameter extends Partial<Header> {
  in: string;
  name: string;
  schema: JsonSchema;
  example?: unknown;
}

export interface Operation extends Omit<
  oas31.OperationObject,
  'parameters' | 'requestBody' | 'responses' | 'callbacks'
> {
  parameters?: (Parameter | Reference)[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response | Reference>;
  callbacks?: Record<string, Record<string, { post: Operation }>>;
}

export interface OpenApiDocument extends Omit<
  oas31.OpenAPIObject,
  'tags' | 'paths' | 'webhooks' | 'components'
> {
  tags?: Tag[];
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: {
    schemas: Record<string, JsonSchema>;
    headers?: Record<string, Header>;
    parameters?: Record<string, Parameter>;
    responses?: Record<string, Response>;
    securitySchemes?: unknown;
  };
}

export interface Tag {
  name: string;
  description: string;
}

export const json = 'application/json';

export const componentPrefix = '#/components/schemas/';

export const refersTo = (name: string): JsonSchema => ({ $ref: componentPrefix + name });

/** The name in a reference to a component. Undefined for another schema. */
export const referredName = ({ $ref }: JsonSchema): string | undefined =>
  $ref?.startsWith(componentPrefix) ? $ref.slice(componentPrefix.length) : undefined;

/** The headers of answers, by the names of their references. An answer without a `required` header is a fault. */
export const headers: Record<string, Header> = protocol.headers;

export const headerReferences = (...names: string[]): Record<string, Reference> =>
  Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));

/** Headers that an answer need not have. */
export const optionalHeaders = (...names: string[]): Record<string, Header> =>
  Object.fromEntries(names.map((name) => [name, { ...headers[name]!, required: false }]));

/** The headers of every authenticated answer. */
export const authenticatedHeaders = headerReferences(
  'X-Request-Id',
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
);
