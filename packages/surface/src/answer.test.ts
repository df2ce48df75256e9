import { expect, test } from 'vitest';
import { withoutValues } from './answer.ts';

test.each([
  ['Must not be blank.', 'Must not be blank.'],
  [
    'Invalid option: expected one of "registered"|"joined"',
    'Invalid option: expected one of "registered"|"joined"',
  ],
  ['Must be before `from`.', 'Must be before `from`.'],
  ['There is no variable {{password}}.', 'There is no variable ….'],
  [
    'Too short for the interaction "Spring bundle", which is shown at 5 seconds.',
    'Too short for the interaction …, which is shown at 5 seconds.',
  ],
  ['Brevo: the key xkeysib-0123456789abcdef0123 of ada@example.com is unknown', 'Brevo: …'],
  ['The key xkeysib-0123456789abcdef0123 of ada@example.com is unknown', 'The key … of … is unknown'],
  ['The segment "a "secret" name" is terminal.', 'The segment … is terminal.'],
  [`The name "${'a secret name '.repeat(50)}" is too long.`, 'The name … is too long.'],
  ['Too small: expected string to have >=1 characters', 'Too small: expected string to have >=1 characters'],
  ['https://example.com/hook?token=1 points to a private address.', '… points to a private address.'],
])('the message %j is kept as %j', (message, kept) => {
  expect(withoutValues(message)).toBe(kept);
});
