// The signed-in user, their workspaces, and sign-in. These calls are not tRPC, because they work without a workspace.
import { queryOptions } from '@tanstack/react-query';
import { RequestFailure } from './failure.ts';

export interface User {
  id: string;
  name: string;
  email: string;
  isEmailVerified: boolean;
  /** A sign-in asks for a code beside the password. */
  hasTwoFactor: boolean;
}

export interface Workspace {
  id: string;
  name: string;
  slug: string;
  role: 'owner' | 'member';
  /** IANA, in which days of reports are counted. */
  timeZone: string;
}

export interface Session {
  user: User | null;
  workspaces: Workspace[];
  /** The mode of sign-up. */
  signUp: 'open' | 'invited' | 'closed';
  /** The way of mails to members. Null: none are sent. `mailbox`: they are shown at /mail, on the machine of the service. */
  mail: 'smtp' | 'mailbox' | null;
}

export const readSession = () => request<Session>('/api/session');

export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: readSession,
  staleTime: 60_000,
});

/** With `twoFactorRedirect` the person is not signed in yet: a code follows. */
export const signIn = (input: { email: string; password: string }) =>
  post<{ twoFactorRedirect?: true }>('sign-in/email', input);

export const signUp = (input: {
  name: string;
  email: string;
  password: string;
  invitationId: string | undefined;
}) => post<{ status?: 'check_mail' }>('sign-up/email', input);

/** Creates the account of a sign-up and signs the person in. `token` is that of the link in their mail. */
export const confirmSignUp = (token: string, password: string) =>
  post('sign-up/confirm', { token, password });

export const requestReset = (email: string) => post('password-reset/request', { email });

export const resetPassword = (token: string, newPassword: string) =>
  post('password-reset', { token, newPassword });

export const requestVerification = () => post('email-verification/request', {});

export const verifyEmail = (token: string) => post('email-verification', { token });

/** The service ends every other sign-in session of this person. */
export const changePassword = (input: { currentPassword: string; newPassword: string }) =>
  post('change-password', input);

/** Bounds of a password, the same as in the service. */
export const passwordLength = { min: 8, max: 128 };

export const signOut = () => post('sign-out', {});

interface Invited {
  workspaceId: string;
  workspaceName: string;
  inviterName: string;
  inviterEmail: string;
  /** The invited address. */
  email: string;
  role: Workspace['role'];
}

export const readInvitation = (invitationId: string) =>
  request<Invited>(`/api/auth/invitation?id=${encodeURIComponent(invitationId)}`);

export const invitationQuery = (invitationId: string) =>
  queryOptions({
    queryKey: ['invitation', invitationId],
    queryFn: () => readInvitation(invitationId),
    retry: false,
  });

export const acceptInvitation = (invitationId: string) =>
  post('organization/accept-invitation', { invitationId });

const lastWorkspaceKey = 'last-workspace';

export const rememberWorkspace = (workspaceId: string) => localStorage.setItem(lastWorkspaceKey, workspaceId);

/** The workspace that was used last in this browser if the user still has it, else the first one. */
export function preferredWorkspace({ workspaces }: Session): Workspace | undefined {
  const last = localStorage.getItem(lastWorkspaceKey);
  return workspaces.find((workspace) => workspace.id === last) ?? workspaces[0];
}

/** Calls a route of sign-in. Throws a RequestFailure. */
export const post = <Answer>(route: string, body: object) =>
  request<Answer>(`/api/auth/${route}`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });

/** The client of better-auth would be a tenth of the sign-in page. Every refusal is thrown as a RequestFailure. */
async function request<Answer>(path: string, init?: RequestInit): Promise<Answer> {
  const response = await fetch(path, init);
  const answer: unknown = await response.json().catch(() => ({}));
  if (!response.ok) throw refusalOf(response, answer as { code?: string; message?: string });
  return answer as Answer;
}

function refusalOf(response: Response, { code, message }: { code?: string; message?: string }): Error {
  const retryAfter = response.headers.get('retry-after');
  return new RequestFailure({
    code: code ?? 'internal_error',
    status: response.status,
    message: authMessage(code, message) ?? `The service answered ${response.status}.`,
    requestId: response.headers.get('x-request-id') ?? undefined,
    issues: [],
    retryAfterSeconds: retryAfter === null ? undefined : Number(retryAfter),
  });
}

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
  INVALID_CODE: 'The code is wrong or too old. Enter the one that the app shows now.',
  INVALID_BACKUP_CODE: 'The recovery code is wrong, or it was used already.',
  INVALID_TWO_FACTOR_COOKIE: 'The time for the code is over. Sign in again.',
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes. Sign in again.',
  ACCOUNT_TEMPORARILY_LOCKED: 'Too many wrong codes. Wait 15 minutes, then sign in again.',
  TOTP_ALREADY_ENABLED: 'Two-factor sign-in is on already. Reload the page.',
  TOTP_NOT_ENABLED: 'Two-factor sign-in is off. Reload the page.',
  TWO_FACTOR_NOT_ENABLED: 'Two-factor sign-in is off. Reload the page.',
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
