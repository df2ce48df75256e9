// Checks Mantine forms with the zod schemas of the API, so that a form accepts exactly the values that the API accepts.
import type { z } from 'zod';
import { numberFormat } from './intl-formats.ts';

export type Messages = Record<string, string>;

/**
 * The `validate` of a Mantine form. `toInput` makes the API's input of the form's values; its paths must be those of the form.
 * Returns the first message of each path, for all paths at once.
 */
export const validateBy =
  <Values>(schema: z.ZodType, toInput: (values: Values) => unknown = (values) => values) =>
  (values: Values): Messages => {
    const parsed = schema.safeParse(toInput(values), { error: messageOf });
    return parsed.success ? {} : messagesByPath(parsed.error.issues);
  };

/** The message of a list, or of the first of its parts that has one. */
export const firstError = (errors: Record<string, unknown>, path: string): string | undefined => {
  const found = Object.entries(errors).find(([at]) => at === path || at.startsWith(`${path}.`));
  return found ? String(found[1]) : undefined;
};

function messagesByPath(issues: readonly z.core.$ZodIssue[]): Messages {
  const messages: Messages = {};
  for (const issue of issues) messages[issue.path.map(String).join('.')] ??= issue.message;
  return messages;
}

/** Replaces zod's own messages, which are written for programmers. Messages of the API's schemas are used as they are. */
function messageOf(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'too_small') return tooSmall(issue);
  if (issue.code === 'too_big') return tooBig(issue);
  if (['invalid_type', 'invalid_value', 'invalid_format'].includes(issue.code) && isEmpty(issue.input))
    return 'Required.';
  if (issue.code === 'invalid_type')
    return issue.expected === 'int' ? 'Must be a whole number.' : 'This value cannot be used here.';
  if (issue.code === 'invalid_value') return 'Choose one of the options.';
  if (issue.code === 'invalid_format') return 'Not in the expected form.';
  if (issue.code === 'invalid_union') return 'This value cannot be used here.';
  return undefined;
}

export const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  Number.isNaN(value) ||
  (Array.isArray(value) && value.length === 0);

function tooSmall({ origin, minimum }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const least = numberFormat({}).format(minimum);
  if (origin === 'string') return minimum === 1 ? 'Required.' : `At least ${least} characters.`;
  if (origin === 'array' || origin === 'set') return `Add at least ${least}.`;
  return `Must be at least ${least}.`;
}

function tooBig({ origin, maximum }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  const most = numberFormat({}).format(maximum);
  if (origin === 'string') return `At most ${most} characters.`;
  if (origin === 'array' || origin === 'set') return `At most ${most} entries.`;
  return `Must be at most ${most}.`;
}
