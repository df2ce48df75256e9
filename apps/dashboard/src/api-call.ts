import { apiOperations } from './api-operations.ts';
import { quoted } from './shell-text.ts';

export type ApiOperation = keyof typeof apiOperations;

/** The names in the path of an operation: `webinarId` of `/webinars/{webinarId}`. */
type PathNames<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | PathNames<Rest>
  : never;

/** One call of the REST API. */
export interface ApiCall<Operation extends ApiOperation = ApiOperation> {
  operation: Operation;
  params: Readonly<Record<PathNames<Operation>, string>>;
  /** Values that are undefined are left out. */
  query?: Readonly<Record<string, string | number | boolean | undefined>>;
  body?: unknown;
}

/** The call as a command for a POSIX shell. The key comes from the variable API_KEY. */
export function apiCallToCurl<Operation extends ApiOperation>(
  { operation, params, query = {}, body }: ApiCall<Operation>,
  origin: string,
): string {
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

/** The operation in the API reference. Scalar makes these anchors from the tag, the method and the path. */
export function docsOfOperation(operation: ApiOperation): string {
  const [method, path] = operation.split(' ') as [string, string];
  const tag = apiOperations[operation].toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return `/api/v1/docs#api-1/tag/${tag}/${method}${path}`;
}
