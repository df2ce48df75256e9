import { expect, test } from 'vitest';
import { Conditions } from './condition.ts';

const interactionId = '019aa1c9-7ac2-7b1f-8e60-5a1f3a7a5d02';
const answer = { interactionId, optionId: 'b' };

const problemsOf = (...conditions: unknown[]): string[] => {
  const { error } = Conditions.safeParse(conditions);
  return (error?.issues ?? []).map((issue) => `${issue.path.join('.')}: ${issue.message}`);
};

test.each([
  ['watchedPercent', 'gte', 50],
  ['watchedMinutes', 'lte', 12.5],
  ['joined', 'eq', true],
  ['completed', 'neq', false],
  ['purchased', 'eq', false],
  ['clickedOffer', 'eq', interactionId],
  ['clickedInteraction', 'in', [interactionId]],
  ['clickedOffer', 'exists', false],
  ['pollAnswer', 'eq', answer],
  ['pollAnswer', 'exists', true],
  ['chatMessage', 'contains_word', 'price'],
  ['utm.source', 'in', ['mail', 'ads']],
  ['utm.content', 'exists', true],
  ['customFields.company', 'contains', 'GmbH'],
  ['customFields.seats', 'gte', 10],
  ['sessionKind', 'eq', 'just_in_time'],
  ['registrationSource', 'in', ['page', 'api']],
])('%s %s %j is a condition', (field, operator, value) => {
  expect(problemsOf({ field, operator, value })).toEqual([]);
});

test.each([
  [
    { field: 'age', operator: 'eq', value: 1 },
    /^0\.field: Unknown field\. Must be one of watchedPercent, .*customFields/,
  ],
  [{ field: 'customFields.', operator: 'eq', value: 'x' }, /^0\.field: Unknown/],
  [{ field: 'toString', operator: 'eq', value: 'x' }, /^0\.field: Unknown/],
  [{ field: 'utm.medium', operator: 'gte', value: 1 }, /^0\.operator: utm\.medium takes eq, neq, contains/],
  [{ field: 'joined', operator: 'exists', value: true }, /^0\.operator: joined takes eq, neq\.$/],
  [{ field: 'joined', operator: 'matches', value: true }, /^0\.operator: /],
  [{ field: 'watchedPercent', operator: 'gte', value: '50' }, /^0\.value: Must be a number\.$/],
  [{ field: 'joined', operator: 'eq', value: 'true' }, /^0\.value: Must be true or false\.$/],
  [{ field: 'clickedOffer', operator: 'eq', value: 'b' }, /^0\.value: Must be the id of an interaction\.$/],
  [{ field: 'clickedOffer', operator: 'in', value: interactionId }, /^0\.value: Must be a list, each the id/],
  [{ field: 'clickedOffer', operator: 'exists', value: 'yes' }, /^0\.value: Must be true or false\.$/],
  [{ field: 'pollAnswer', operator: 'eq', value: 'b' }, /^0\.value: Must be a poll answer/],
  [{ field: 'utm.source', operator: 'in', value: 'mail' }, /^0\.value: Must be a list, each a string\.$/],
  [{ field: 'customFields.seats', operator: 'gte', value: '10' }, /^0\.value: Must be a number\.$/],
  [
    { field: 'sessionKind', operator: 'eq', value: 'weekly' },
    /^0\.value: Must be one of scheduled, just_in_time/,
  ],
  [
    { field: 'utm.source', operator: 'eq', value: { of: 'nothing' } },
    /^0\.value: Must be a string, a number, true, false/,
  ],
  [{ field: 'utm.source', operator: 'eq', value: ' ' }, /^0\.value: /],
  [{ field: 'utm.source', operator: 'eq', value: 'a\0b' }, /^0\.value: /],
  [{ field: 'utm.source', operator: 'eq' }, /^0\.value: /],
  [{ field: 'utm.source', operator: 'eq', value: 'x', or: [] }, /^0: Unrecognized key/],
])('%j is refused', (condition, problem) => {
  expect(problemsOf(condition)).toEqual([expect.stringMatching(problem)]);
});

test('the problems of all conditions are reported together', () => {
  const conditions = [
    { field: 'age', operator: 'eq', value: 1 },
    { field: 'joined', operator: 'eq', value: true },
    { field: 'joined', operator: 'eq', value: 1 },
    { field: 'utm.source', operator: 'eq', value: null },
  ];
  expect(problemsOf(...conditions).map((problem) => problem.split(':')[0])).toEqual([
    '0.field',
    '2.value',
    '3.value',
  ]);
  expect(problemsOf(...Array.from({ length: 21 }, () => conditions[1]))).toHaveLength(1);
});

test('the values of all conditions have at most ten thousand characters together, also in lists', () => {
  const sources = (count: number, length: number) => ({
    field: 'utm.source',
    operator: 'in',
    value: Array.from({ length: count }, () => 'a'.repeat(length)),
  });
  const company = { field: 'customFields.company', operator: 'contains', value: 'b'.repeat(500) };
  expect(problemsOf(sources(19, 500), company)).toEqual([]);
  expect(problemsOf(sources(19, 500), { ...company, value: 'b' }, company)).toEqual([
    ': The values of all conditions must have at most 10,000 characters together.',
  ]);
});
