import { httpStatusByKind, type ErrorCatalogue } from '@service/errors';

/** Every code with its status, for programs. */
export const listErrorCodes = (errors: ErrorCatalogue): Record<string, { status: number; message: string }> =>
  Object.fromEntries(
    sortedCodes(errors).map(([code, { kind, message }]) => [
      code,
      { status: httpStatusByKind[kind], message },
    ]),
  );

/**
 * A heading for each code; the docs page makes an anchor of each, which `docUrl` points at. In words, since the page's
 * index takes underscores for emphasis.
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

const errorIntroduction = `Every refusal is one shape: \`code\` for programs, \`message\` for people, \`issues\` naming every problem of the input, \`requestId\`
and \`docUrl\`. A path that names no operation is answered \`404\`, a method that the path does not take \`405\` with \`Allow\`, in the same shape.`;

const sortedCodes = (errors: ErrorCatalogue) =>
  Object.entries(errors).toSorted(([a], [b]) => (a < b ? -1 : 1));
