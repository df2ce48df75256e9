import type { Issue } from '@service/errors';
import type { Webinar } from '@service/webinars';
import { z } from 'zod';

const emailAddress = z.email();

/** Characters of options in one error message. A batch of 500 rows can have 15,000 refused answers. */
const namedMax = 300;

interface FormField extends Pick<Webinar['registrationForm']['fields'][number], 'key' | 'type' | 'required'> {
  options: readonly string[];
}

/** Finds the problems of the answers to a form. A form without fields accepts any answers. */
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
  if (type === 'email' && !emailAddress.safeParse(value).success) return 'Not an e-mail address.';
  if (type === 'select' && !options.includes(value)) return `Must be one of: ${nameOptions(options)}.`;
  if (type === 'checkbox') {
    if (value !== 'true' && value !== 'false') return 'Must be "true" or "false".';
    if (required && value === 'false') return 'Must be "true".';
  }
  return undefined;
}

/** Lists the first options and the number of the others. */
function nameOptions(options: readonly string[]): string {
  let length = 0;
  const end = options.findIndex((option, index) => (length += option.length) > namedMax && index > 0);
  if (end === -1) return options.join(', ');
  return `${options.slice(0, end).join(', ')} and ${options.length - end} more`;
}
