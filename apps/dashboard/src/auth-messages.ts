// Refusals of sign-in, sign-up, passwords and invitations in our words. The codes in capitals are those of better-auth, whose own
// messages never reach a person.

const messages: Record<string, string> = {
  INVALID_EMAIL_OR_PASSWORD: 'The e-mail address or the password is wrong.',
  INVALID_EMAIL: 'Enter a complete e-mail address, such as ada@example.com.',
  INVALID_PASSWORD: 'The current password is wrong.',
  PASSWORD_TOO_SHORT: 'The password is too short. Use 8 to 128 characters.',
  PASSWORD_TOO_LONG: 'The password is too long. Use 8 to 128 characters.',
  USER_ALREADY_EXISTS: 'An account with this e-mail address exists. Sign in instead.',
  USER_ALREADY_EXISTS_USE_ANOTHER_EMAIL: 'An account with this e-mail address exists. Sign in instead.',
  CREDENTIAL_ACCOUNT_NOT_FOUND: 'This account has no password.',
  SESSION_EXPIRED: 'Your sign-in session has ended. Sign in again.',
  UNAUTHORIZED: 'Your sign-in session has ended. Sign in again.',
  SESSION_NOT_FRESH: 'Sign in again before you change this.',
  MISSING_OR_NULL_ORIGIN:
    'Your browser did not send the address of this page, so the request was refused. Reload the page. If it happens again, switch off extensions that hide the address.',
  INVALID_ORIGIN: 'This page was opened at an address that the service does not know.',
  CROSS_SITE_NAVIGATION_LOGIN_BLOCKED: 'Another site made this request. Open the sign-in page yourself.',
  VALIDATION_ERROR: 'A field is missing or not valid. Check the form and try again.',
  MISSING_FIELD: 'A field is missing. Check the form and try again.',
  INVITATION_NOT_FOUND:
    'This invitation does not exist, was used, or has expired. Ask the person who invited you for a new one.',
  YOU_ARE_NOT_THE_RECIPIENT_OF_THE_INVITATION:
    'This invitation is for another e-mail address. Sign in with the address that was invited.',
  INVITER_IS_NO_LONGER_A_MEMBER_OF_THE_ORGANIZATION:
    'The person who invited you has left the workspace. Ask another owner to invite you.',
  USER_IS_ALREADY_A_MEMBER_OF_THIS_ORGANIZATION: 'You are already a member of this workspace.',
  ORGANIZATION_NOT_FOUND: 'This workspace does not exist any more.',
  ORGANIZATION_MEMBERSHIP_LIMIT_REACHED: 'This workspace has the maximum number of members (500).',
};

/** The codes of refusals that better-auth sends without one. */
const codesByMessage: Record<string, string> = { 'Invitation not found!': 'INVITATION_NOT_FOUND' };

/** The message to show for a refused call. Codes in lower case are ours and have a message for people. */
export function authMessage(sent: string | undefined, message: string | undefined): string | undefined {
  const code = sent ?? codesByMessage[message ?? ''];
  if (code === undefined) return undefined;
  if (code === code.toLowerCase()) return message || undefined;
  return messages[code] ?? `The sign-in was refused (${code}). Reload the page and try again.`;
}
