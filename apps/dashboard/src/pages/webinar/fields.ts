// The values and props of fields that several forms of a webinar have.
import type { UseFormReturnType } from '@mantine/form';
import { parsePosition } from '../../time-text.ts';

/** Makes the label and the input props of a field from its path. */
export const createField =
  <Values>(form: UseFormReturnType<Values>, labels: Readonly<Record<string, string>>) =>
  (path: string, type: 'input' | 'checkbox' = 'input') => ({
    label: labels[path],
    ...form.getInputProps(path, { type }),
  });

export type Field = ReturnType<typeof createField>;

export const urlProps = { inputMode: 'url', autoComplete: 'off', spellCheck: false } as const;

/** Inputs need a text, the API needs null. */
export const textOrNull = (typed: string): string | null => (typed.trim() === '' ? null : typed);

/** The value of a number input. */
export const numberOrEmpty = (stored: number | null): number | '' => stored ?? '';

/** An empty number, which the API refuses where a number is required. */
export const numberOrNull = (typed: number | ''): number | null => (typed === '' ? null : typed);

/** An object of the API as inputs show it. A number that is not set is an empty one. */
export const settingsToValues = <Settings extends object>(settings: Settings) =>
  mapValues(settings, (value) => value ?? '') as SettingsValues<Settings>;

type SettingsValues<Settings> = {
  [Name in keyof Settings]: Settings[Name] extends number | null ? number | '' : Settings[Name];
};

export const valuesToSettings = <Values extends object>(values: Values) =>
  mapValues(values, (value) => (value === '' ? null : value)) as {
    [Name in keyof Values]: '' extends Values[Name] ? number | null : Values[Name];
  };

const mapValues = (object: object, change: (value: unknown) => unknown): object =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value)]));

/** Null for an empty field. NaN, which the API's schema refuses, for a text that is no time. */
export const secondsOrNull = (typed: string): number | null =>
  typed.trim() === '' ? null : (parsePosition(typed) ?? Number.NaN);
