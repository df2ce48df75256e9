// Headers that every authenticated answer carries, whatever becomes of the request.
import type { ServerResponse } from 'node:http';
import type { RateState } from '@service/trpc';
import type { RequestTarget } from './request-target.ts';
import type { Route } from './route-table.ts';

export function announceRate(response: ServerResponse, { limit, remaining, resetsAt }: RateState): void {
  response.setHeader('X-RateLimit-Limit', limit);
  response.setHeader('X-RateLimit-Remaining', remaining);
  response.setHeader('X-RateLimit-Reset', resetsAt);
}

/** `Deprecation` (RFC 9745), `Sunset` (RFC 8594) and where to go instead (RFC 5829). */
export function announceDeprecation(response: ServerResponse, { deprecation }: Route, apiUrl: string): void {
  if (!deprecation) return;
  response.setHeader('Deprecation', `@${Math.floor(Date.parse(deprecation.since) / 1000)}`);
  response.setHeader('Sunset', new Date(deprecation.sunset).toUTCString());
  if (deprecation.successor)
    response.appendHeader('Link', `<${apiUrl}${deprecation.successor}>; rel="successor-version"`);
}

/** The next page of a list as a link (RFC 8288). */
export function announceNextPage(
  response: ServerResponse,
  { url, apiUrl, cursor }: { url: RequestTarget; apiUrl: string; cursor: string },
): void {
  const query = new URLSearchParams(url.searchParams);
  query.set('cursor', cursor);
  response.appendHeader('Link', `<${apiUrl}${url.pathname}?${query.toString()}>; rel="next"`);
}
