import { pino } from 'pino';

export type Log = pino.Logger;

/** Fields whose values are secrets. They never appear in a log line. */
const secretFields = 'authorization cookie key apiKey secret password token databaseUrl'.split(' ');

// A path of pino matches one depth, so each field is listed for three levels.
const redactedPaths = [
  ...secretFields.flatMap((name) => [name, `*.${name}`, `*.*.${name}`, `*.*.*.${name}`]),
  '*.headers["set-cookie"]',
  '*["set-cookie"]',
];

// Texts that look like a credential of the service, in any field or error.
const credentialPattern =
  /svc_(?:live|at|rt|code)_[\w-]{4,}|whsec_[0-9A-Za-z+/=]{8,}|(postgres(?:ql)?:\/\/[^:@/\s]+:)[^@/\s]+@/g;

/** Replaces the credentials in a text. */
function redactText(text: string): string {
  return text.replace(credentialPattern, (_match, url: string | undefined) =>
    url ? `${url}***@` : '[redacted]',
  );
}

/** JSON lines on standard output, one logger per process. `destination` is for tests. */
export function createLog(
  process: string,
  options: { level?: string; destination?: { write(line: string): void } } = {},
): Log {
  const write = options.destination ?? pino.destination({ fd: 1, sync: false });
  return pino(
    {
      level: options.level ?? 'info',
      base: { process },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: pino.stdSerializers.err },
      hooks: { streamWrite: redactText },
    },
    write,
  );
}
