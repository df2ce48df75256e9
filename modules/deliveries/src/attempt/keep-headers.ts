import type { IncomingHttpHeaders } from 'node:http';

/** The names and values together are kept up to this many characters. */
const charactersMax = 2000;

/** A cookie of the endpoint can be a secret, so its value is not stored. */
const hidden = '(not kept)';

/** The first headers of a response as a JSON object. */
export function keepHeaders(headers: IncomingHttpHeaders): string {
  const kept: Record<string, string> = {};
  let left = charactersMax;
  for (const name in headers) {
    const given = headers[name] ?? '';
    const value = name === 'set-cookie' ? hidden : typeof given === 'string' ? given : given.join(', ');
    left -= name.length + value.length;
    if (left < 0) break;
    kept[name] = value;
  }
  return JSON.stringify(kept);
}
