// Reads the registration form, and finds its problems before the server does. A problem belongs to a path, which is also the name of
// the input: `email`, `customFields.company`.
import type { RegistrationPageInput, WebinarPage } from '@service/attendees';
import type { Issue } from '../page/page-call.ts';
import type { Texts } from '../texts/en.ts';

type Form = WebinarPage['form'];
export type FormField = Form['fields'][number];

export type Problems = Readonly<Record<string, string>>;

export type FormAnswers = Pick<
  RegistrationPageInput,
  'name' | 'email' | 'customFields' | 'consent' | 'website'
>;

export const nameOfField = ({ key }: FormField): string => `customFields.${key}`;

export function readForm(data: FormData, form: Form): FormAnswers {
  const textOf = (name: string): string => ((data.get(name) as string | null) ?? '').trim();
  const answers = form.fields.map((field) => {
    const name = nameOfField(field);
    return [field.key, field.type === 'checkbox' ? String(data.has(name)) : textOf(name)];
  });
  return {
    name: textOf('name'),
    email: textOf('email'),
    customFields: Object.fromEntries(answers),
    website: textOf('website'),
    ...(form.consentText !== null && { consent: data.has('consent') }),
  };
}

/** Only problems that are certain. The server finds the others. */
export function findProblems(answers: FormAnswers, { fields }: Form, texts: Texts): Problems {
  const problems: Record<string, string> = {};
  const { required, requiredBox, requiredChoice, notEmail } = texts.form;
  if (answers.name === '') problems['name'] = required;
  if (answers.email === '') problems['email'] = required;
  else if (!isEmail(answers.email)) problems['email'] = notEmail;
  for (const field of fields) {
    const value = answers.customFields?.[field.key] ?? '';
    const isEmpty = field.type === 'checkbox' ? value === 'false' : value === '';
    if (field.required && isEmpty)
      problems[nameOfField(field)] =
        field.type === 'checkbox' ? requiredBox : field.type === 'select' ? requiredChoice : required;
    else if (field.type === 'email' && value !== '' && !isEmail(value))
      problems[nameOfField(field)] = notEmail;
  }
  return problems;
}

const isEmail = (text: string): boolean => /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(text);

/** The server's problems by the input that shows them. The messages that it has most often are translated. */
export function issuesToProblems(issues: readonly Issue[], texts: Texts): Problems {
  const { required, notEmail, invalid } = texts.form;
  const translated: Record<string, string> = { 'Required.': required, 'Not an e-mail address.': notEmail };
  return Object.fromEntries(issues.map(({ path, message }) => [path, translated[message] ?? invalid]));
}

/** True if there are problems, and the form has an input for each of them. */
export function hasInputs(problems: Problems, form: Form): boolean {
  const names = new Set(['sessionTime', 'name', 'email', 'consent', ...form.fields.map(nameOfField)]);
  const paths = Object.keys(problems);
  return paths.length > 0 && paths.every((path) => names.has(path));
}
