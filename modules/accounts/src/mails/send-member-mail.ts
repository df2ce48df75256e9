import { column, statement, type Database, type Query } from '@service/database';
import type { JobTask } from '@service/jobs';
import { defineMailTask, type Mail, type MailTaskParts } from '@service/mail';
import type { Role } from '../schemas.ts';
import { createLink } from './links.ts';
import {
  composeInvitation,
  composeReset,
  composeSignUp,
  composeSignUpOfMember,
  composeVerification,
} from './mail-texts.ts';
import { memberMailJob, type MemberMail } from './member-mails.ts';
import { createSignUpToken, deletePendingSignUps, findPendingSignUp } from './pending-sign-ups.ts';

export interface MemberMailParts extends MailTaskParts {
  database: Pick<Database, 'pool' | 'query'>;
  /** The public URL of the service, without a trailing slash. */
  baseUrl: string;
}

/** The job of all mails to members. A link is made for each attempt to send it, and ends the one of a former attempt. */
export const createMemberMailTask = (parts: MemberMailParts): JobTask =>
  defineMailTask(memberMailJob, parts, {
    nameOf: ({ mail }) => mail.kind,
    compose: ({ mail }) => compose({ query: parts.database.query, baseUrl: parts.baseUrl }, mail),
  });

interface Work {
  query: Query;
  baseUrl: string;
}

/** Undefined: there is no mail to send. */
async function compose(work: Work, mail: MemberMail): Promise<Mail | undefined> {
  if (mail.kind === 'sign_up') return await composeOfSignUp(work, mail);
  if (mail.kind === 'invitation') return await composeOfInvitation(work, mail);
  const { query, baseUrl } = work;
  const [user] = await query(findUser, [mail.email.toLowerCase()]);
  if (!user || (mail.kind === 'verification' && user.is_verified)) return undefined;
  const token = await createLink(query, user.id, mail.kind);
  const text = mail.kind === 'reset' ? composeReset : composeVerification;
  return { to: user.email, ...text({ baseUrl, name: user.name, token }) };
}

const findUser = statement({
  name: 'accounts.find_mail_user',
  text: `
    select id, name, email, "emailVerified" as is_verified from accounts."user" where email = $1`,
  row: { id: column.text, name: column.text, email: column.text, is_verified: column.boolean },
});

async function composeOfSignUp(
  { query, baseUrl }: Work,
  { signUpId, invitationId }: Extract<MemberMail, { kind: 'sign_up' }>,
): Promise<Mail | undefined> {
  const signUp = await findPendingSignUp(query, signUpId);
  if (!signUp) return undefined;
  const { email, name, user_id: userId, user_name: userName } = signUp;
  if (userId !== null) {
    await deletePendingSignUps(query, email);
    const token = await createLink(query, userId, 'reset');
    return { to: email, ...composeSignUpOfMember({ baseUrl, name: userName ?? name, token }) };
  }
  const token = await createSignUpToken(query, signUpId);
  return { to: email, ...composeSignUp({ baseUrl, name, token, invitationId }) };
}

async function composeOfInvitation(
  { query, baseUrl }: Work,
  { accountId, invitationId }: Extract<MemberMail, { kind: 'invitation' }>,
): Promise<Mail | undefined> {
  const [row] = await query(findInvitation, [accountId, invitationId]);
  if (!row) return undefined;
  const { email: to, ...invitation } = row;
  return { to, ...composeInvitation({ baseUrl, invitationId, ...invitation }) };
}

const findInvitation = statement({
  name: 'accounts.find_mail_invitation',
  text: `
    select i.email, i.role, i."expiresAt" as expires_at, o.name as workspace, u.name as inviter
    from accounts.invitation i
    join accounts.organization o on o.id = i."organizationId"
    join accounts."user" u on u.id = i."inviterId"
    where i."organizationId" = $1 and i.id = $2 and i.status = 'pending' and i."expiresAt" > now()`,
  row: {
    email: column.text,
    role: column.textOf<Role>(),
    expires_at: column.time,
    workspace: column.text,
    inviter: column.text,
  },
});
