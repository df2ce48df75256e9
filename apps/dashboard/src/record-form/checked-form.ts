import { useForm, type UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import { isEmpty, type Messages } from '../zod-form.ts';
import { isEqual, valueAt } from './edits.ts';

/** Returns the messages of the values by path. */
type CheckValues<Values> = (values: Values) => Messages;

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
