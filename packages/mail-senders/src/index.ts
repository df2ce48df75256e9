import { brevo } from './senders/brevo.ts';
import { postmark } from './senders/postmark.ts';
import { resend } from './senders/resend.ts';
import type { MailSender } from './mail-sender.ts';
import { sendgrid } from './senders/sendgrid.ts';
import { smtp } from './senders/smtp.ts';

export type { FieldText } from '@service/outbound-http';
export { outcomeOfSmtpError } from './senders/smtp-outcome.ts';
export type {
  DomainSetup,
  Later,
  Mailbox,
  MailEvent,
  MailSender,
  OutgoingMail,
  ReportRequest,
  SendContext,
  SenderDomain,
  SenderRecord,
  SendOutcome,
  Verification,
} from './mail-sender.ts';

/** All senders. A new one is a file and a line here. */
export const mailSenders: readonly MailSender[] = [smtp, resend, postmark, sendgrid, brevo] as MailSender[];
