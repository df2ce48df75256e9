import type { apiOperations } from './api-operations.ts';

export type ApiOperation = keyof typeof apiOperations;

/** The names in the path of an operation: `webinarId` of `/webinars/{webinarId}`. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

interface CallOf<Operation extends ApiOperation> {
  operation: Operation;
  params: Readonly<Record<PathNames<Operation>, string>>;
  /** Values that are undefined are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

/** One call of the REST API. */
export type ApiCall = { [Operation in ApiOperation]: CallOf<Operation> }[ApiOperation];

/** The call as a command for a POSIX shell. The key comes from the variable API_KEY. */
export function apiCallToCurl({ operation, params, query = {}, body }: ApiCall, origin: string): string {
  const [method, template] = operation.split(' ') as [string, string];
  const path = template.replaceAll(/\{(\w+)\}/g, (_braces, name: string) =>
    encodeURIComponent((params as Record<string, string>)[name]!),
  );
  const given = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, String(value)]],
  );
  const search = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`;
  return [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(`${origin}/api/v1${path}${search}`)}`,
    // Double quotes, so that the shell inserts the key.
    '-H "Authorization: Bearer $API_KEY"',
    ...(body === undefined
      ? []
      : ["-H 'Content-Type: application/json'", `--data-raw ${quoted(JSON.stringify(body, null, 2))}`]),
  ].join(' \\\n  ');
}

interface SentRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** Headers that curl writes itself, from the URL and the body. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

/** The same request as a command for a POSIX shell: the same headers and bytes, so the signature stays valid. */
export function toCurl({ url, headers, body }: SentRequest): string {
  const sent = Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  return [
    `curl -X POST ${quoted(url)}`,
    // curl leaves out a header without a value, unless it ends in a semicolon.
    ...sent.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // --data would read a file for a body that begins with @.
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ');
}

/** A text as one word of a POSIX shell, which changes nothing between single quotes. A single quote itself must be outside of them. */
export const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
