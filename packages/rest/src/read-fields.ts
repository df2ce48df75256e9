import { commonErrors, type Issue } from '@service/errors';
import { refuseInput } from '@service/trpc';
import { z } from 'zod';
import type { MatchedRoute, Route } from './route-table.ts';

interface Given {
  query: URLSearchParams;
  /** Empty for a read. */
  body: Record<string, unknown>;
  /** The problems that the reading of the body has found. */
  issues: readonly Issue[];
}

/**
 * The values of the query of a read, in the types of the schema, or the members of the body of a write. Throws validation_failed,
 * which names every unknown field, every field in the wrong place, and every other problem of the input.
 */
export function readFields(
  { route, pathValues }: Pick<MatchedRoute, 'route' | 'pathValues'>,
  { query, body, issues: foundInBody }: Given,
): Record<string, unknown> {
  const issues = [...foundInBody];
  const fields = route.type === 'query' ? readQuery(route, query, issues) : body;
  if (route.type === 'mutation') {
    for (const name of new Set(query.keys()))
      issues.push({ path: name, message: 'Unknown query parameter.' });
  }
  for (const name of route.pathParameters) {
    if (Object.hasOwn(fields, name)) issues.push({ path: name, message: 'Unknown field.' });
  }
  if (issues.length === 0) return fields;
  const ids = Object.fromEntries(route.pathParameters.map((name, index) => [name, pathValues[index]]));
  const isNoId = ([name, value]: [string, unknown]): boolean =>
    !(route.input.shape[name] as z.ZodType).safeParse(value).success;
  // As the chain answers a malformed id in a path.
  if (Object.entries(ids).some(isNoId)) throw commonErrors.not_found();
  throw refuseInput(route.input, { ...fields, ...ids }, issues);
}

function readQuery(route: Route, query: URLSearchParams, issues: Issue[]): Record<string, unknown> {
  const input: Record<string, unknown> = {};
  for (const name of new Set(query.keys())) {
    // Own properties only: a query may contain `__proto__` or `constructor`, which every object inherits.
    const isField = Object.hasOwn(route.input.shape, name) && !route.pathParameters.includes(name);
    const schema = isField ? route.input.shape[name] : undefined;
    const values = query.getAll(name);
    if (!schema) issues.push({ path: name, message: 'Unknown query parameter.' });
    else if (values.length > 1 && takesList(schema as z.ZodType)) input[name] = values;
    else {
      if (values.length > 1) issues.push({ path: name, message: 'Given more than once.' });
      input[name] = coerce(schema as z.ZodType, values[0]!);
    }
  }
  return input;
}

/** Converts a text of the query to the number or the boolean of its schema. The schema refuses any other text. */
function coerce(schema: z.ZodType, text: string): unknown {
  const inner = unwrap(schema);
  if (inner instanceof z.ZodNumber) return /^-?\d+(\.\d+)?$/.test(text) ? Number(text) : text;
  if (inner instanceof z.ZodBoolean) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** True for a parameter with one value or several: `?status=retrying&status=failure`. */
function takesList(schema: z.ZodType): boolean {
  const inner = unwrap(schema);
  return inner instanceof z.ZodUnion && inner.options.some((option) => option instanceof z.ZodArray);
}

function unwrap(schema: z.ZodType): z.ZodType {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodPrefault
  ) {
    return unwrap(schema.unwrap() as z.ZodType);
  }
  return schema;
}
