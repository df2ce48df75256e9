/** Path and query of a request, as it sent them. */
export interface RequestTarget {
  pathname: string;
  searchParams: URLSearchParams;
}

/**
 * Reads a request target (RFC 9112, 3.2). Not with `new URL`, which resolves dot segments and backslashes: a path that is
 * not written as the reference has it names nothing.
 */
export function parseTarget(target: string): RequestTarget {
  const local = target.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?]*/i, '');
  const queryAt = local.indexOf('?');
  const pathname = queryAt === -1 ? local : local.slice(0, queryAt);
  return {
    pathname: pathname === '' ? '/' : pathname,
    searchParams: new URLSearchParams(queryAt === -1 ? '' : local.slice(queryAt + 1)),
  };
}
