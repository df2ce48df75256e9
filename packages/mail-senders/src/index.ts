import { brevo } from './brevo/brevo.ts';
import { postmark } from './postmark/postmark.ts';
import { resend } from './resend/resend.ts';
import type { MailSender } from './sender.ts';
import { sendgrid } from './sendgrid/sendgrid.ts';
import { smtp } from './smtp/smtp.ts';

export { outcomeOfSmtpError } from './smtp/outcome.ts';
export type {
  FieldText,
  Later,
  Mailbox,
  MailEvent,
  MailSender,
  OutgoingMail,
  ReportRequest,
  SendContext,
  SenderDomain,
  SendOutcome,
  Verification,
} from './sender.ts';

/** All senders. A new one is a folder and a line here. */
export const mailSenders: readonly MailSender[] = [smtp, resend, postmark, sendgrid, brevo] as MailSender[];
