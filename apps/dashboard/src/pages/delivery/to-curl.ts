interface SentRequest {
  url: string;
  headers: Readonly<Record<string, string>>;
  body: string;
}

/** What curl writes itself, from the URL and the body. */
const ownHeaders = new Set(['host', 'content-length', 'connection', 'transfer-encoding']);

/** The same request as a command for a POSIX shell: the same headers and the same bytes, so that the signature still holds. */
export function toCurl({ url, headers, body }: SentRequest): string {
  const sent = Object.entries(headers).filter(([name]) => !ownHeaders.has(name.toLowerCase()));
  return [
    `curl -X POST ${quoted(url)}`,
    // A header without a value would be left out; curl sends it when it ends in a semicolon.
    ...sent.map(([name, value]) => `-H ${quoted(value === '' ? `${name};` : `${name}: ${value}`)}`),
    // Not --data, which would read a file for a body that begins with @.
    `--data-raw ${quoted(body)}`,
  ].join(' \\\n  ');
}

/** Between single quotes a shell changes nothing; a single quote itself needs to step outside. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
