import { expect, test } from 'vitest';
import { authMessage } from './session.ts';

test("a refusal of the sign-in library is shown in the service's words, also with a code that a later version adds", () => {
  expect(authMessage('MISSING_OR_NULL_ORIGIN', 'Missing or null Origin')).toContain('address of this page');
  expect(authMessage('SOME_NEW_CODE', 'Library said so')).toBe(
    'The sign-in was refused (SOME_NEW_CODE). Reload the page and try again.',
  );
});

test("the service's own refusals keep their message, and an answer without a code has none", () => {
  expect(authMessage('sign_up_closed', 'Sign-up is closed.')).toBe('Sign-up is closed.');
  expect(authMessage(undefined, '<html>Bad gateway</html>')).toBeUndefined();
});
