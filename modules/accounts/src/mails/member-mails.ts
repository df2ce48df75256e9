// Mails to members as the API asks for them. It only counts the mail and queues a job that names the address, for known and unknown
// addresses alike; a worker finds the user (send-member-mail.ts). So the answer and its time do not reveal who has an account.
import type { Transaction } from '@service/database';
import { defineJob, type Jobs } from '@service/jobs';
import { z } from 'zod';
import type { MailRequest, SignInLimits } from '../sign-in-limits.ts';

const MemberMail = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('reset'), email: z.string() }),
  z.object({ kind: z.literal('verification'), email: z.string() }),
  z.object({ kind: z.literal('sign_up'), signUpId: z.uuid(), invitationId: z.uuid().optional() }),
  z.object({ kind: z.literal('invitation'), accountId: z.uuid(), invitationId: z.uuid() }),
]);

export type MemberMail = z.infer<typeof MemberMail>;

/** Its payload contains no token. */
export const memberMailJob = defineJob({
  name: 'accounts.send_mail',
  payload: z.object({ mail: MemberMail, until: z.iso.datetime() }),
});

/** The way of mails out of the installation. In the embedded default they go to its mailbox. */
export type MailMode = 'smtp' | 'mailbox';

/** A mail that could not be sent by then is given up. */
const mailMinutes = 60;

export interface MemberMails {
  mode: MailMode;
  /** Counts a mail. Throws too_many_attempts. */
  admit(request: MailRequest): Promise<void>;
  /** Queues a mail, in the transaction if there is one. */
  send(mail: MemberMail, now: Date, tx?: Pick<Transaction, 'query'>): Promise<void>;
}

interface MemberMailsOptions {
  mode: MailMode;
  jobs: Jobs;
  /** Undefined: there are no limits. */
  limits: SignInLimits | undefined;
}

export function createMemberMails({ mode, jobs, limits }: MemberMailsOptions): MemberMails {
  return {
    mode,
    admit: async (request) => limits?.admitMail(request),
    async send(mail, now, tx) {
      const until = new Date(now.getTime() + mailMinutes * 60_000).toISOString();
      if (tx) await jobs.enqueue(tx, memberMailJob, { mail, until });
      else await jobs.enqueueNow(memberMailJob, { mail, until });
    },
  };
}
