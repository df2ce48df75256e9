import type { OpenApiDocument } from '@service/rest';

interface Found {
  /** The documented answers by status. */
  responses: Record<string, unknown>;
}

/**
 * The operation that a method and a path below /api/v1 name. What names none is refused in one shape, which is returned
 * in its place; undefined for the pages beside the operations.
 */
export function findOperation(
  document: OpenApiDocument,
  { method, path }: { method: string; path: string },
): Found | undefined {
  const pathname = path.split('?')[0]!;
  if (/^\/(docs|openapi\.json)(\/|$)/.test(pathname)) return undefined;
  const segments = pathname.split('/').slice(1);
  const found = templatesOf(document).filter(({ wanted }) => isMatch(wanted, segments));
  const [first] = found.map(({ template }) => template).toSorted(mostSpecificFirst);
  if (first === undefined) return { responses: outside(404) };
  const operation = document.paths[first]![method === 'HEAD' ? 'get' : method.toLowerCase()];
  return operation ?? { responses: outside(405) };
}

interface Template {
  template: string;
  /** Its segments. Names are in braces. */
  wanted: readonly string[];
}

/** To split all paths takes longer than to compare them. */
const known = new WeakMap<OpenApiDocument, Template[]>();

function templatesOf(document: OpenApiDocument): readonly Template[] {
  const templates =
    known.get(document) ??
    Object.keys(document.paths).map((template) => ({ template, wanted: template.split('/').slice(1) }));
  known.set(document, templates);
  return templates;
}

function isMatch(wanted: readonly string[], segments: readonly string[]): boolean {
  return (
    wanted.length === segments.length &&
    wanted.every((want, index) =>
      want.startsWith('{') ? isName(segments[index]!) : want === segments[index],
    )
  );
}

/** An empty segment or a broken escape names nothing. */
function isName(segment: string): boolean {
  try {
    return decodeURIComponent(segment) !== '';
  } catch {
    return false;
  }
}

/** `/bulk` before `/{registrationId}`, wherever they first differ. */
const mostSpecificFirst = (a: string, b: string): number =>
  a.replaceAll(/\{\w+\}/g, '~') < b.replaceAll(/\{\w+\}/g, '~') ? -1 : 1;

const reference = (kind: string, name: string) => ({ $ref: `document#/components/${kind}/${name}` });

const authenticated = Object.fromEntries(
  ['X-Request-Id', 'X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset'].map((name) => [
    name,
    reference('headers', name),
  ]),
);

/** Answers to an unknown path (404) and to a method that a path does not have (405). */
const outside = (status: 404 | 405): Record<string, unknown> => ({
  [status]: {
    headers: {
      ...authenticated,
      ...(status === 405 && { Allow: { required: true, schema: { type: 'string' } } }),
    },
    content: { 'application/json': { schema: reference('schemas', 'ErrorAnswer') } },
  },
  401: reference('responses', 'Unauthorized'),
  403: reference('responses', 'Suspended'),
  429: reference('responses', 'RateLimited'),
  500: reference('responses', 'InternalError'),
  503: reference('responses', 'Unavailable'),
});
