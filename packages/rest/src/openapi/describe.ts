// The description of the document: the sections for all operations, and the list of error codes.
import { readFileSync } from 'node:fs';
import { allScopes, scopes } from '@service/catalogue';
import { httpStatusByKind, type ErrorCatalogue } from '@service/errors';

export interface ProtocolLimits {
  /** For each account, over all its keys, connectors and surfaces. */
  rateLimit: { requests: number; windowSeconds: number };
  /** The answer to an Idempotency-Key is kept for this time. */
  idempotencyWindowHours: number;
}

/** The sections for all operations. */
export function describeProtocol({ rateLimit, idempotencyWindowHours }: ProtocolLimits): string {
  const rows = allScopes.map((scope) => `| \`${scope}\` | ${scopes[scope]} |`);
  const values: Record<string, unknown> = { ...rateLimit, idempotencyWindowHours, scopes: rows.join('\n') };
  const text = readFileSync(new URL('protocol.md', import.meta.url), 'utf8').trimEnd();
  return text.replaceAll(/\{(\w+)\}/g, (_place, name: string) => String(values[name]));
}

/** A map of every code to its status and message, for programs. */
export const listErrorCodes = (errors: ErrorCatalogue): Record<string, { status: number; message: string }> =>
  Object.fromEntries(
    sortedCodes(errors).map(([code, { kind, message }]) => [
      code,
      { status: httpStatusByKind[kind], message },
    ]),
  );

/**
 * A heading for each code. The docs page makes it an anchor, which `docUrl` refers to. The heading has spaces, since the index of
 * the page reads underscores as emphasis.
 */
export function describeErrors(errors: ErrorCatalogue): string {
  const entries = sortedCodes(errors).map(
    ([code, { kind, message }]) =>
      `## ${inWords(code)}\n\n\`${code}\`, status \`${httpStatusByKind[kind]}\`: ${message}`,
  );
  return ['# Errors', errorIntroduction, ...entries].join('\n\n');
}

const inWords = (code: string): string =>
  code
    .replaceAll('_', ' ')
    .replaceAll(/\b(api|json|id|url)\b/g, (word) => word.toUpperCase())
    .replace(/^./, (letter) => letter.toUpperCase());

const errorIntroduction = `Every error has the same shape: \`code\` for programs, \`message\` for people, \`issues\` with every problem of the input, \`requestId\` and
\`docUrl\`. An unknown path is answered \`404\`. A method that the path does not support is answered \`405\` with \`Allow\`.`;

const sortedCodes = (errors: ErrorCatalogue) =>
  Object.entries(errors).toSorted(([a], [b]) => (a < b ? -1 : 1));
