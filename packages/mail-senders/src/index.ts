import type { MailSender } from './sender.ts';

export type {
  FieldText,
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
export const mailSenders: readonly MailSender[] = [];
