import { expect, test } from 'vitest';
import { z } from 'zod';
import { parseInput } from './error-of.ts';

const problemsOf = (schema: z.ZodType, input: unknown): string[] => {
  try {
    parseInput(schema, input);
  } catch (error) {
    return (error as { issues: { path: string; message: string }[] }).issues.map(
      ({ path, message }) => `${path}: ${message}`,
    );
  }
  return [];
};

test('each missing field gets the message "Required.", also if its schema has a message of its own', () => {
  const Kind = z.enum(['a', 'b']);
  const schema = z.strictObject({
    text: z.string(),
    kind: Kind,
    amount: z.int('Must be an integer.'),
    filter: z.union([Kind, z.array(Kind)]),
    trigger: z.discriminatedUnion('type', [z.strictObject({ type: z.literal('joined') })]),
    other: z.strictObject({ type: z.literal('left') }),
  });
  expect(problemsOf(schema, { trigger: {} })).toEqual(
    ['text', 'kind', 'amount', 'filter', 'trigger.type', 'other'].map((path) => `${path}: Required.`),
  );
  expect(problemsOf(schema.pick({ amount: true, kind: true }), { amount: null, kind: 'c' })).toEqual([
    'amount: Must be an integer.',
    'kind: Invalid option: expected one of "a"|"b"',
  ]);
  const checked = z.object({ at: z.string().optional() }).refine(() => false, { path: ['at'], error: 'No.' });
  expect(problemsOf(checked, {})).toEqual(['at: No.']);
});

test('a value that no option of a union takes is refused with the problems of the option of its type', () => {
  const Kind = z.enum(['a', 'b']);
  const schema = z.object({ kind: z.union([Kind, z.array(Kind)]) });
  expect(problemsOf(schema, { kind: 'a,b' })).toEqual(['kind: Invalid option: expected one of "a"|"b"']);
  expect(problemsOf(schema, { kind: ['a', 'c'] })).toEqual([
    'kind.1: Invalid option: expected one of "a"|"b"',
  ]);
  const objects = z.union([z.strictObject({ a: z.string() }), z.strictObject({ b: z.string() })]);
  expect(problemsOf(z.object({ of: objects }), { of: { a: 1, b: 1 } })).toEqual(['of: Invalid input']);
});
