// Compares answers of an API with its OpenAPI document.
import type { OpenApiDocument } from '@service/rest';
import addFormats from 'ajv-formats';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { findOperation } from './find-operation.ts';

export interface Answer {
  method: string;
  /** Below /api/v1, with its query. */
  path: string;
  status: number;
  headers: Headers;
  text: string;
}

export interface Contract {
  /** With every object schema closed and every reference absolute. */
  document: OpenApiDocument;
  /** The problems of a value by a schema of the document. */
  problemsOfValue(schema: unknown, value: unknown): string[];
  /** The problems of an answer, in words; empty when it is as the document says. */
  problemsOf(answer: Answer): string[];
}

type Node = Record<string, unknown>;

interface Response {
  headers?: Record<string, Node>;
  content?: Record<string, { schema: Node }>;
}

export function createContract(document: OpenApiDocument): Contract {
  // A schema is used a few times, so optimized code takes longer to make than it saves.
  const code = { optimize: false };
  const ajv = new Ajv2020({ strict: false, allErrors: true, validateSchema: false, code });
  (addFormats as unknown as (instance: Ajv2020) => void)(ajv);
  const closed = close(document) as OpenApiDocument & Node;
  ajv.addSchema(closed, 'document');

  const resolve = (node: Node): Node =>
    typeof node['$ref'] === 'string'
      ? node['$ref']
          .replace('document#/', '')
          .split('/')
          .reduce<Node>((inner, name) => inner[name] as Node, closed)
      : node;

  const problemsOf = (schema: Node, value: unknown, name: string): string[] => {
    // Compiled once: ajv remembers a schema by its identity.
    if (ajv.validate(schema, value)) return [];
    return ajv.errors!.map(({ instancePath, message, params }) => {
      const { additionalProperty = '' } = params as { additionalProperty?: string };
      return `${name}${instancePath} ${message} ${additionalProperty}`.trim();
    });
  };

  const headerProblems = (response: Response, { headers }: Answer): string[] => {
    const documented = new Map(
      Object.entries(response.headers ?? {}).map(([name, header]) => [name.toLowerCase(), resolve(header)]),
    );
    const unknown = [...headers.keys()].filter((name) => isMeaningful(name) && !documented.has(name));
    return [
      ...unknown.map((name) => `header ${name} is not documented`),
      ...[...documented].flatMap(([name, { required, schema }]) => {
        const value = headers.get(name);
        if (value === null) return required ? [`header ${name} is missing`] : [];
        const isNumber = (schema as Node)['type'] === 'integer';
        return problemsOf(schema as Node, isNumber ? Number(value) : value, `header ${name}`);
      }),
    ];
  };

  const bodyProblems = (response: Response, { method, headers, text }: Answer): string[] => {
    const media = response.content?.['application/json'];
    if (!media || method === 'HEAD') return text === '' ? [] : [`there is a body: ${text.slice(0, 200)}`];
    const type = headers.get('content-type');
    if (type !== 'application/json; charset=utf-8') return [`the content type is ${type}`];
    const body = parseJson(text);
    return body === undefined ? ['the body is not JSON'] : problemsOf(media.schema, body, 'body');
  };

  /** A code that the catalogue does not have, or has with another status, would send people to a heading that is not there. */
  const codeProblems = ({ status, method, text }: Answer): string[] => {
    if (status < 400 || method === 'HEAD') return [];
    const { code } = (parseJson(text) ?? {}) as { code?: string };
    const known = (closed['x-error-codes'] as Record<string, { status: number }>)[code ?? ''];
    return known?.status === status ? [] : [`code ${code} is not in the catalogue with status ${status}`];
  };

  return {
    document: closed,
    problemsOfValue: (schema, value) => problemsOf(schema as Node, value, 'value'),
    problemsOf(answer) {
      const found = findOperation(closed, answer);
      if (!found) return [];
      const response = found.responses[answer.status] as Node | undefined;
      if (!response) return [`status ${answer.status} is not documented: ${answer.text.slice(0, 500)}`];
      const resolved = resolve(response) as Response;
      return [
        ...headerProblems(resolved, answer),
        ...bodyProblems(resolved, answer),
        ...codeProblems(answer),
      ];
    },
  };
}

/** Headers that callers act on: each must be documented where it is sent. */
const isMeaningful = (name: string): boolean =>
  /^(x-.*-id|x-ratelimit-.*|retry-after|www-authenticate|location|etag|link|idempotent-.*|deprecation|sunset|allow)$/.test(
    name,
  );

/**
 * The document as a test reads it. Clients must accept fields that are not documented, we must not send them: every object
 * schema is closed. References are made absolute, so that each schema can be compiled by itself.
 */
function close(node: unknown): unknown {
  if (Array.isArray(node)) return node.map(close);
  if (typeof node !== 'object' || node === null) return node;
  const entries = Object.entries(node).map(([name, inner]) => [
    name,
    name === '$ref' && typeof inner === 'string' ? inner.replace(/^#/, 'document#') : close(inner),
  ]);
  const closed = Object.fromEntries(entries) as Node;
  const isOpenObject =
    closed['type'] === 'object' && closed['properties'] && !('additionalProperties' in closed);
  return isOpenObject ? { ...closed, additionalProperties: false } : closed;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
