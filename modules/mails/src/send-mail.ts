import type { Database } from '@service/database';
import { defineJob, type JobTask } from '@service/jobs';
import type { Log } from '@service/log';
import { createMailer, defineMailTask, type Mailer, type MailTaskParts } from '@service/mail';
import type { SecretBox } from '@service/secrets';
import { z } from 'zod';
import { textToHtml } from './content/html.ts';
import { createMailbox } from './mailbox.ts';

/** The way of mails out of the installation: its mail server, or the mailbox of the embedded default. */
export type MailSettings = { smtpUrl: string; from: string } | 'mailbox';

interface MailerParts {
  database: Pick<Database, 'query'>;
  secretBox: SecretBox;
  log: Log;
}

/** The sender of the installation. Undefined: it sends no mail. */
export function openMailer(
  settings: MailSettings | undefined,
  { log, ...parts }: MailerParts,
): Mailer | undefined {
  if (settings === undefined) return undefined;
  return settings === 'mailbox' ? createMailbox(parts) : createMailer({ ...settings, log });
}

/** One mail to one person, tried again until `until`. Its text must contain no credential: the queue stores it. */
export const sendMailJob = defineJob({
  name: 'mails.send_mail',
  payload: z.object({
    to: z.string(),
    subject: z.string(),
    text: z.string(),
    /** The mail also has its text as HTML. */
    isHtml: z.boolean().optional(),
    until: z.iso.datetime(),
  }),
});

export const createSendMailTask = (parts: MailTaskParts): JobTask =>
  defineMailTask(sendMailJob, parts, {
    nameOf: ({ subject }) => subject,
    compose: async ({ until: _until, isHtml, ...mail }) => ({
      ...mail,
      html: isHtml ? textToHtml(mail) : undefined,
    }),
  });
