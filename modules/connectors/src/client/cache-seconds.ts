/** A day. A client that changes its redirect URIs waits no longer. */
const secondsMax = 24 * 60 * 60;

/** Without a `Cache-Control` with a time. */
const secondsDefault = 600;

/** The time for which a document may be kept, in seconds (RFC 9111 5.2.2). 0 for one that may not be kept. */
export function cacheSeconds(cacheControl: string | undefined): number {
  const directives = (cacheControl ?? '').split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.some((directive) => /^no-(store|cache)\b/.test(directive))) return 0;
  const ages = directives.flatMap((directive) => /^max-age="?(\d{1,10})"?$/.exec(directive)?.[1] ?? []);
  return Math.min(secondsMax, ages.length === 0 ? secondsDefault : Number(ages[0]));
}
