import type { apiOperations } from './api-operations.ts';
import { quoted } from './curl.ts';

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
