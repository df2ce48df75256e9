import { expect, test } from 'vitest';
import { en } from '../texts/en.ts';
import { findProblems, hasInputs, issuesToProblems, readForm } from './form-values.ts';

const field = { label: 'x', required: true, options: [] };
const form = {
  fields: [
    { ...field, key: 'company', type: 'text' as const },
    { ...field, key: 'size', type: 'select' as const, options: ['1-10', '11+'] },
    { ...field, key: 'terms', type: 'checkbox' as const },
    { ...field, key: 'second', type: 'email' as const, required: false },
  ],
  consentText: 'We may write to you.',
};

function formData(values: Record<string, string>): FormData {
  const data = new FormData();
  for (const [name, value] of Object.entries(values)) data.set(name, value);
  return data;
}

test('an empty form names every problem at once, and consent is free', () => {
  const problems = findProblems(readForm(formData({ 'customFields.second': 'no' }), form), form, en);
  expect(problems).toEqual({
    name: en.form.required,
    email: en.form.required,
    'customFields.company': en.form.required,
    'customFields.size': en.form.requiredChoice,
    'customFields.terms': en.form.requiredBox,
    'customFields.second': en.form.notEmail,
  });
});

test('a complete form has no problem, and boxes are texts of the API', () => {
  const answers = readForm(
    formData({
      name: '  Ada ',
      email: 'ada@example.com',
      'customFields.company': 'Analytical',
      'customFields.size': '11+',
      'customFields.terms': 'on',
      consent: 'on',
    }),
    form,
  );
  expect(findProblems(answers, form, en)).toEqual({});
  expect(answers).toEqual({
    name: 'Ada',
    email: 'ada@example.com',
    customFields: { company: 'Analytical', size: '11+', terms: 'true', second: '' },
    consent: true,
    website: '',
  });
  expect(readForm(formData({ consent: 'on' }), { fields: [], consentText: null })).not.toHaveProperty(
    'consent',
  );
});

test('problems of the server appear at their inputs in the language of the page', () => {
  const issues = [
    { path: 'email', message: 'Not an e-mail address.' },
    { path: 'customFields.size', message: 'Must be one of: 1-10, 11+.' },
  ];
  expect(issuesToProblems(issues, en)).toEqual({
    email: en.form.notEmail,
    'customFields.size': en.form.invalid,
  });
});

test('a problem of a field that the page does not have yet is not shown at an input', () => {
  expect(hasInputs({ email: en.form.notEmail, 'customFields.size': en.form.invalid }, form)).toBe(true);
  expect(hasInputs({ email: en.form.notEmail, 'customFields.phone': en.form.required }, form)).toBe(false);
  expect(hasInputs({}, form)).toBe(false);
});
