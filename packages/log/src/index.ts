import { pino } from 'pino';

export {
  currentTraceparent,
  isTracing,
  runInSpan,
  startSpan,
  startTracing,
  traced,
  type Span,
} from './tracing.ts';

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

interface LogOptions {
  level?: string;
  /** True: lines for people. By default only if standard output is a terminal. */
  isReadable?: boolean;
  /** For tests. */
  destination?: { write(line: string): void };
}

/** JSON lines on standard output, or lines for people on a terminal. One logger per process. */
export function createLog(name: string, options: LogOptions = {}): Log {
  const { destination = pino.destination({ fd: 1, sync: false }), isReadable = process.stdout.isTTY } =
    options;
  const write = isReadable ? { write: (line: string) => destination.write(toReadable(line)) } : destination;
  return pino(
    {
      level: options.level ?? 'info',
      base: { process: name },
      timestamp: pino.stdTimeFunctions.isoTime,
      formatters: { level: (label) => ({ level: label }) },
      redact: { paths: redactedPaths, censor: '[redacted]' },
      serializers: { err: pino.stdSerializers.err },
      hooks: { streamWrite: redactText },
    },
    write,
  );
}

/**
 * A JSON line as `09:00:00 api warn: Message field=value`, with the stack of an error below it. Control characters stay escaped: a text of a
 * stranger neither begins a line nor changes the terminal.
 */
function toReadable(line: string): string {
  let parsed: Record<string, unknown>;
  try {
    parsed = JSON.parse(line);
  } catch {
    // A credential that was hidden had taken a quotation mark with it.
    return line;
  }
  const { time, level, process: name, msg = '', err, ...others } = parsed;
  const { stack } = (err ?? {}) as { stack?: string };
  const fields = err === undefined || stack !== undefined ? others : { err, ...others };
  const values = Object.entries(fields).map(
    ([field, value]) => ` ${field}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
  );
  const shownLevel = level === 'info' ? '' : ` ${String(level)}`;
  const first = `${String(time).slice(11, 19)} ${String(name)}${shownLevel}: ${String(msg)}${values.join('')}`;
  const lines = stack === undefined ? [first] : [first, ...stack.split('\n')];
  return lines.map((one) => `${one.replaceAll(/\p{Cc}/gu, escapeCharacter)}\n`).join('');
}

const escapeCharacter = (character: string): string =>
  `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
