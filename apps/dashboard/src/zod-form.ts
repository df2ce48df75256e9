// Checks Mantine forms with the zod schemas of the API, so that a form accepts exactly the values that the API accepts.
import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import type { z } from 'zod';
import { isEqual, valueAt } from './record-form/edits.ts';

type Messages = Record<string, string>;

/** Returns the messages of the values by path. */
export type CheckValues<Values> = (values: Values) => Messages;

/** A Mantine form that is checked while people type. A message ends as soon as its cause has ended. */
export function useCheckedForm<Values extends object>(
  initialValues: Values,
  check: CheckValues<Values>,
): UseFormReturnType<Values> {
  // Mantine's own check on a change shows a message of a list's entry at the list, and never ends one below it.
  const form = useForm<Values>({ initialValues, validate: check, clearInputErrorOnChange: false });
  const { values, setErrors } = form;
  const checked = useRef(values);
  useEffect(() => {
    const before = checked.current;
    checked.current = values;
    if (before !== values)
      setErrors((shown) => messagesAfter(shown as Messages, { check, before, after: values }));
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each change of the values
  }, [values]);
  return form;
}

interface Change<Values> {
  check: CheckValues<Values>;
  before: Values;
  after: Values;
}

/**
 * The messages to show after a change of the values. A message of the check stays while the check gives one; a message of the
 * service stays until the value at its path changes. A new message is shown only for a value that the person has changed.
 */
export function messagesAfter<Values extends object>(
  shown: Messages,
  { check, before, after }: Change<Values>,
): Messages {
  const isShown = Object.keys(shown).length > 0;
  const [old, present] = [isShown ? check(before) : {}, check(after)];
  const messages: Messages = {};
  for (const [path, message] of Object.entries(shown)) {
    const isOfService = old[path] === undefined && isEqual(valueAt(before, path), valueAt(after, path));
    if (isOfService) messages[path] = message;
  }
  for (const [path, message] of Object.entries(present))
    if (path in shown || isChosen(path, before, after)) messages[path] = message;
  return messages;
}

/**
 * True if the person changed the value at the path. An entry that was just added was not, and neither was a value that the choice of
 * another field of its object has emptied.
 */
function isChosen(path: string, before: object, after: object): boolean {
  const names = path.split('.');
  const name = names.pop()!;
  const [old, present] = [before, after].map((values) =>
    names.length ? valueAt(values, names.join('.')) : values,
  );
  if (typeof old !== 'object' || typeof present !== 'object' || !old || !present) return false;
  const isChanged = (member: string) => !isEqual(Reflect.get(old, member), Reflect.get(present, member));
  if (!isChanged(name)) return false;
  return !isEmpty(Reflect.get(present, name)) || Object.keys(present).filter(isChanged).length === 1;
}

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

const count = new Intl.NumberFormat('en-US');

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

const isEmpty = (value: unknown): boolean =>
  value === undefined ||
  value === null ||
  value === '' ||
  Number.isNaN(value) ||
  (Array.isArray(value) && value.length === 0);

function tooSmall({ origin, minimum }: z.core.$ZodRawIssue<z.core.$ZodIssueTooSmall>): string {
  const least = count.format(minimum);
  if (origin === 'string') return minimum === 1 ? 'Required.' : `At least ${least} characters.`;
  if (origin === 'array' || origin === 'set') return `Add at least ${least}.`;
  return `Must be at least ${least}.`;
}

function tooBig({ origin, maximum }: z.core.$ZodRawIssue<z.core.$ZodIssueTooBig>): string {
  const most = count.format(maximum);
  if (origin === 'string') return `At most ${most} characters.`;
  if (origin === 'array' || origin === 'set') return `At most ${most} entries.`;
  return `Must be at most ${most}.`;
}
