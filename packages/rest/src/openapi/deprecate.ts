import type { Deprecation } from '@service/trpc';
import type { Operation, Response } from './document.ts';
import { headerReferences } from './headers.ts';

/** Marks an operation that is going to go, and the headers with which its answers say so. */
export function deprecate(
  operation: Operation,
  { since, sunset, successor }: Deprecation,
  shared: Readonly<Record<string, Response>>,
): void {
  operation.deprecated = true;
  const instead = successor ? ` Use \`${successor}\`.` : '';
  operation.description = `**Deprecated** since ${since}; stops answering on ${sunset}.${instead}\n\n${operation.description}`;
  const headers = headerReferences('Deprecation', 'Sunset', ...(successor ? ['Link'] : []));
  for (const [status, response] of Object.entries(operation.responses)) {
    // Decided before the route is known to anybody.
    if (['401', '403', '429'].includes(status)) continue;
    const resolved = '$ref' in response ? shared[response.$ref.split('/').at(-1)!]! : response;
    operation.responses[status] = { ...resolved, headers: { ...resolved.headers, ...headers } };
  }
}
