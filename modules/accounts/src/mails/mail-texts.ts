// The texts of mails to members. Names are texts of strangers: they get one line, and no link is made of them. Tokens are in the
// fragment of a link, which browsers send to no server.
import { oneLine } from '@service/mail';
import type { Role } from '../schemas.ts';
import { linkMinutes } from './links.ts';

interface Text {
  subject: string;
  text: string;
}

interface Link {
  baseUrl: string;
  name: string;
  token: string;
}

export const composeReset = ({ baseUrl, name, token }: Link): Text => ({
  subject: 'Choose a new password',
  text: paragraphs(
    `Hello ${nameOf(name)},`,
    `You asked for a new password for your account at ${hostOf(baseUrl)}. Choose it here:`,
    `${baseUrl}/reset-password#${token}`,
    `The link works once, for ${linkMinutes.reset} minutes. A newer request ends it.`,
    'If you did not ask for it, you can ignore this mail. Your password stays as it is.',
  ),
});

export const composeVerification = ({ baseUrl, name, token }: Link): Text => ({
  subject: 'Confirm your e-mail address',
  text: paragraphs(
    `Hello ${nameOf(name)},`,
    `Please confirm that this is the address of your account at ${hostOf(baseUrl)}:`,
    `${baseUrl}/verify-email#${token}`,
    'The link works once, for a day.',
    'If you have no account there, you can ignore this mail.',
  ),
});

export const composeSignUp = ({
  baseUrl,
  name,
  token,
  invitationId,
}: Link & { invitationId: string | undefined }): Text => ({
  subject: 'Finish your sign-up',
  text: paragraphs(
    `Hello ${nameOf(name)},`,
    `Open this link to create your account at ${hostOf(baseUrl)}. You need the password that you chose:`,
    `${baseUrl}/confirm-sign-up${invitationId === undefined ? '' : `?redirect=/invitations/${invitationId}`}#${token}`,
    'The link works for a day.',
    'If you did not sign up, you can ignore this mail. No account is created.',
  ),
});

export const composeSignUpOfMember = ({ baseUrl, name, token }: Link): Text => ({
  subject: 'You already have an account',
  text: paragraphs(
    `Hello ${nameOf(name)},`,
    `Somebody tried to create an account at ${hostOf(baseUrl)} with this address. You already have one, so nothing was changed.`,
    'If it was you, sign in:',
    `${baseUrl}/sign-in`,
    `If you have forgotten your password, choose a new one. This link works once, for ${linkMinutes.reset} minutes:`,
    `${baseUrl}/reset-password#${token}`,
  ),
});

interface InvitationMail {
  baseUrl: string;
  invitationId: string;
  workspace: string;
  inviter: string;
  role: Role;
  expires_at: Date;
}

export const composeInvitation = (mail: InvitationMail): Text => ({
  subject: `Invitation to ${nameOf(mail.workspace)}`,
  text: paragraphs(
    'Hello,',
    `${nameOf(mail.inviter)} invites you to the workspace "${nameOf(mail.workspace)}" at ${hostOf(mail.baseUrl)} as ${
      mail.role === 'owner' ? 'an owner' : 'a member'
    }. Accept the invitation here, after you have signed in or created an account with this address:`,
    `${mail.baseUrl}/invitations/${mail.invitationId}`,
    `The link works once, until ${mail.expires_at.toISOString().slice(0, 16).replace('T', ' ')} UTC.`,
    'If you do not know this person, you can ignore this mail.',
  ),
});

const paragraphs = (...parts: string[]): string => `${parts.join('\n\n')}\n`;

const hostOf = (baseUrl: string): string => new URL(baseUrl).host;

/** Mail programs make a link of every text that looks like an address of the web. */
const nameOf = (name: string): string =>
  oneLine(name)
    .replaceAll(/:\/\/|(?<=\w)\.(?=\w)/g, ' ')
    .slice(0, 100);
