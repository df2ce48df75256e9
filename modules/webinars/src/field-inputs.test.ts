import { expect, test } from 'vitest';
import { z } from 'zod';
import { wholeNumber } from './field-inputs.ts';

const messagesOf = (value: unknown): string[] =>
  z
    .strictObject({ seconds: wholeNumber.min(0).max(86_400) })
    .safeParse({ seconds: value })
    .error?.issues.map(({ message }) => message) ?? [];

test.each([0, 1, 86_400])('%d is a whole number', (value) => {
  expect(messagesOf(value)).toEqual([]);
});

test.each([0.5, 1e-20, 5e-324, 1.0000000000000002, 86_399.99999999999])(
  'a number that is whole but for a rounding error is refused: %d',
  (value) => {
    expect(messagesOf(value)).toEqual(['Must be a whole number.']);
  },
);

test('a number that breaks several rules has all of them named', () => {
  expect(messagesOf(-0.5)).toHaveLength(2);
});

test('the document shows it as an integer', () => {
  expect(z.toJSONSchema(wholeNumber.min(0))).toMatchObject({ type: 'integer', minimum: 0 });
});
