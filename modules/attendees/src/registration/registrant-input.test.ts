import { expect, test } from 'vitest';
import { customFieldProblems } from './registrant-input.ts';

const fields = [
  { key: 'company', type: 'text', required: true, options: [] },
  { key: 'size', type: 'select', required: false, options: ['small', 'large'] },
  { key: 'assistant', type: 'email', required: false, options: [] },
  { key: 'terms', type: 'checkbox', required: true, options: [] },
] as const;
const pathsOf = (given: Record<string, string>) => customFieldProblems(fields, given).map(({ path }) => path);

test('a form without fields accepts any answers', () => {
  expect(customFieldProblems([], { anything: 'goes' })).toEqual([]);
});

test('valid answers have no problems, with optional ones missing or blank', () => {
  expect(pathsOf({ company: 'Analytical Engines', terms: 'true' })).toEqual([]);
  expect(pathsOf({ company: 'A', terms: 'true', size: 'small', assistant: 'c@example.com' })).toEqual([]);
  expect(pathsOf({ company: 'A', terms: 'true', size: '', assistant: '' })).toEqual([]);
});

test('every problem has the path of its field', () => {
  expect(pathsOf({ company: '', size: 'medium', assistant: 'me', terms: 'false', colour: 'red' })).toEqual([
    'customFields.colour',
    'customFields.company',
    'customFields.size',
    'customFields.assistant',
    'customFields.terms',
  ]);
  expect(pathsOf({})).toEqual(['customFields.company', 'customFields.terms']);
});

test('an inherited property is not an answer', () => {
  const inherited = { key: 'constructor', type: 'text', required: true, options: [] } as const;
  expect(customFieldProblems([inherited], {})).toHaveLength(1);
});

test('an error lists options up to a length and counts the others', () => {
  const options = Array.from({ length: 50 }, (_unused, index) => `${index}`.padEnd(100, '.'));
  const select = { key: 'size', type: 'select', required: true, options } as const;
  const [problem] = customFieldProblems([select], { size: 'medium' });
  expect(problem?.message).toBe(`Must be one of: ${options.slice(0, 3).join(', ')} and 47 more.`);
  const [short] = customFieldProblems([{ ...select, options: ['small', 'large'] }], { size: 'medium' });
  expect(short?.message).toBe('Must be one of: small, large.');
});
