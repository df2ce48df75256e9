// The sign-in routes that need mails. better-auth's own ones would store the tokens of their links in clear.
import { databaseTime, isUniqueViolation, statement, type Query } from '@service/database';
import { commonErrors } from '@service/errors';
import { parseInput } from '@service/trpc';
import type { AuthContext } from 'better-auth';
import type { IncomingHttpHeaders } from 'node:http';
import { accountErrors } from '../errors.ts';
import { createConfirmedUser } from '../people.ts';
import {
  ConfirmSignUpInput,
  LinkInput,
  ResetRequestInput,
  ResetInput,
  SignUpInput,
  type EmailOnly,
} from '../schemas.ts';
import { endResetLink, takeResetLink, verifyEmail } from './links.ts';
import { endTwoFactorChallenges } from '../two-factor.ts';
import type { MemberMails } from './member-mails.ts';
import { addPendingSignUp, deletePendingSignUps, findSignUpOfLink } from './pending-sign-ups.ts';

export interface MailCall {
  input: Readonly<Record<string, unknown>>;
  /** The network address of the client. */
  address: string;
  headers: IncomingHttpHeaders;
}

interface MailRoutesOptions {
  query: Query;
  mails: MemberMails;
  context: Pick<AuthContext, 'adapter' | 'internalAdapter' | 'password'>;
  signedInUser: (headers: IncomingHttpHeaders) => Promise<EmailOnly | null>;
}

/** Answers a route with this body. */
type MailRoute = (call: MailCall) => Promise<object>;

export interface MailRoutes {
  routes: ReadonlyMap<string, MailRoute>;
  /** Creates the user of a sign-up whose link was opened, and returns the input of their first sign-in. */
  confirmSignUp(input: MailCall['input']): Promise<{ email: string; password: string }>;
}

export function createMailRoutes(options: MailRoutesOptions): MailRoutes {
  const { mails } = options;
  const routes = new Map<string, MailRoute>([
    ['/password-reset/request', (call) => requestReset(options, call)],
    ['/password-reset', (call) => resetPassword(options, call)],
    ['/email-verification/request', (call) => requestVerification(options, call)],
    ['/email-verification', (call) => confirmEmail(options, call)],
  ]);
  // In the mailbox of the embedded default a person signs up and is in.
  if (mails.mode === 'smtp') routes.set('/sign-up/email', (call) => signUp(options, call));
  return { routes, confirmSignUp: (input) => confirmSignUp(options, input) };
}

async function requestReset({ mails }: MailRoutesOptions, { input, address }: MailCall): Promise<object> {
  const { email } = parseInput(ResetRequestInput, input);
  await mails.admit({ email, address });
  await mails.send({ kind: 'reset', email }, databaseTime());
  return { status: 'check_mail' };
}

const endSessions = statement({
  name: 'accounts.end_sessions_after_reset',
  text: `
    with ended as (delete from accounts.session where "userId" = $1)
    update accounts."user" set "emailVerified" = true, "updatedAt" = now() where id = $1`,
});

/** The link proves that the person reads the mails of the address. */
async function resetPassword({ query, context }: MailRoutesOptions, { input }: MailCall): Promise<object> {
  const { token, newPassword } = parseInput(ResetInput, input);
  // Used up before the 0.1 s that hashing takes: of two requests with one link, one changes the password.
  const userId = await takeResetLink(query, token);
  if (userId === undefined) throw accountErrors.link_invalid();
  await context.internalAdapter.updatePassword(userId, await context.password.hash(newPassword));
  await query(endSessions, [userId]);
  await endTwoFactorChallenges(query, userId);
  // A link that was sent in the meantime.
  await endResetLink(query, userId);
  return { status: 'password_changed' };
}

async function requestVerification(
  { mails, signedInUser }: MailRoutesOptions,
  { headers, address }: MailCall,
): Promise<object> {
  const user = await signedInUser(headers);
  if (!user) throw commonErrors.sign_in_required();
  await mails.admit({ email: user.email, address });
  await mails.send({ kind: 'verification', email: user.email }, databaseTime());
  return { status: 'check_mail' };
}

async function confirmEmail({ query }: MailRoutesOptions, { input }: MailCall): Promise<object> {
  if (!(await verifyEmail(query, parseInput(LinkInput, input).token))) throw accountErrors.link_invalid();
  return { status: 'verified' };
}

/** The same work for every address: whether it has an account is found out by the worker that sends the mail. */
async function signUp(
  { query, context, mails }: MailRoutesOptions,
  { input, address }: MailCall,
): Promise<object> {
  const { email, name, password, workspaceName, invitationId } = parseInput(SignUpInput, input);
  await mails.admit({ email, address });
  const passwordHash = await context.password.hash(password);
  const signUpId = await addPendingSignUp(query, { email, name, workspaceName, passwordHash });
  await mails.send({ kind: 'sign_up', signUpId, invitationId }, databaseTime());
  return { status: 'check_mail' };
}

async function confirmSignUp(
  { query, context }: MailRoutesOptions,
  input: MailCall['input'],
): Promise<{ email: string; password: string }> {
  const { token, password } = parseInput(ConfirmSignUpInput, input);
  const found = await findSignUpOfLink(query, token);
  if (!found) throw accountErrors.link_invalid();
  const { email, name, workspace_name: workspaceName, password_hash: hash } = found;
  if (!(await context.password.verify({ hash, password }))) throw accountErrors.sign_up_password_wrong();
  try {
    await createConfirmedUser(context, { email, name, hash, workspaceName });
  } catch (error) {
    if (isUniqueViolation(error, 'user_email_unique')) throw accountErrors.link_invalid({ cause: error });
    throw error;
  }
  await deletePendingSignUps(query, email);
  return { email, password };
}
