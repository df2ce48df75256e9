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
