import type { Issue } from '@service/errors';
import { z } from 'zod';
import type { Webinar } from '../webinar/webinar.ts';

interface FormField extends Pick<Webinar['registrationForm']['fields'][number], 'key' | 'type' | 'required'> {
  options: readonly string[];
}

/** What is wrong with the answers to a form. A webinar without questions takes any. */
export function customFieldProblems(
  fields: readonly FormField[],
  given: Readonly<Record<string, string>>,
): Issue[] {
  if (fields.length === 0) return [];
  const keys = new Set(fields.map((field) => field.key));
  const answers = new Map(Object.entries(given));
  const unknown = [...answers.keys()]
    .filter((key) => !keys.has(key))
    .map((key) => ({ path: `customFields.${key}`, message: 'Unknown field.' }));
  const refused = fields.flatMap((field) => {
    const message = fieldProblem(field, answers.get(field.key) ?? '');
    return message === undefined ? [] : [{ path: `customFields.${field.key}`, message }];
  });
  return [...unknown, ...refused];
}

function fieldProblem({ type, required, options }: FormField, value: string): string | undefined {
  if (value === '') return required ? 'Required.' : undefined;
  if (type === 'email' && !z.email().safeParse(value).success) return 'Not an e-mail address.';
  if (type === 'select' && !options.includes(value)) return `Must be one of: ${options.join(', ')}.`;
  if (type === 'checkbox') {
    if (value !== 'true' && value !== 'false') return 'Must be "true" or "false".';
    if (required && value === 'false') return 'Must be "true".';
  }
  return undefined;
}
