import { useState, type ChangeEvent, type SubmitEvent } from 'react';
import { isOutage } from '../../failure.ts';
import { focusFirstProblem } from '../../focus.ts';
import { suspectConnection } from '../../live/connection.ts';
import { passwordLength } from '../../session.ts';

type Checks<Name extends string> = Record<Name, (value: string) => string | undefined>;

/**
 * The text fields of a small form, with a check for each. A check returns the message to show. The form library of the other pages
 * would be a tenth of the sign-in page.
 */
export function useFields<Name extends string>(
  checks: Checks<Name>,
  initial: Partial<Record<Name, string | undefined>> = {},
) {
  const names = Object.keys(checks) as Name[];
  const [values, setValues] = useState(() => recordOf(names, (name) => initial[name] ?? ''));
  const [problems, setProblems] = useState<Partial<Record<Name, string | undefined>>>({});
  return {
    propsOf: (name: Name) => ({
      value: values[name],
      error: problems[name],
      onChange(event: ChangeEvent<HTMLInputElement>) {
        const { value } = event.currentTarget;
        setValues((current) => ({ ...current, [name]: value }));
        setProblems((current) => ({ ...current, [name]: undefined }));
      },
    }),
    onSubmit: (submit: (values: Record<Name, string>) => void) => (event: SubmitEvent) => {
      event.preventDefault();
      const found = recordOf(names, (name) => checks[name](values[name]));
      setProblems(found);
      if (names.every((name) => found[name] === undefined)) submit(values);
      else focusFirstProblem(found, values, event);
    },
  };
}

const recordOf = <Name extends string, Value>(names: Name[], valueOf: (name: Name) => Value) =>
  Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;

export const isFilled = (message: string) => (value: string) => (value.trim() === '' ? message : undefined);

export const isEmail = (message: string) => (value: string) =>
  /^\S+@\S+$/.test(value) ? undefined : message;

export const isPassword = ({ length }: string) =>
  length < passwordLength.min || length > passwordLength.max
    ? `Use ${passwordLength.min} to ${passwordLength.max} characters.`
    : undefined;

interface Submit<Values, Answer> {
  send: (values: Values) => Promise<Answer>;
  /** Leaves the page; the form waits until then. */
  onSuccess: (answer: Answer) => Promise<void>;
  onError?: () => void;
}

/** Sends a form, and has the error of the last try. */
export function useSubmit<Values, Answer>({ send, onSuccess, onError }: Submit<Values, Answer>) {
  const [state, setState] = useState<{ isPending: boolean; error?: unknown }>({ isPending: false });
  const submit = async (values: Values): Promise<void> => {
    setState({ isPending: true });
    try {
      await onSuccess(await send(values));
    } catch (error) {
      if (isOutage(error)) suspectConnection();
      setState({ isPending: false, error });
      onError?.();
    }
  };
  return { ...state, submit: (values: Values) => void submit(values) };
}
