export { createMailbox, type Mailbox, type MailboxMail } from './mailbox.ts';
export { defaultBacklogMax, measureMails, type MailBacklog } from './queue/mail-counts.ts';
export { createMailWorker, type MailWorker } from './send/mail-worker.ts';
export type { MailOutcome } from './send/record-results.ts';
export {
  createReportLinks,
  createUnsubscribeLinks,
  type ReportLinks,
  type UnsubscribeLinks,
} from './suppression/links.ts';
export { mailsModule } from './module.ts';
export { openMailer, sendMailJob, type MailSettings } from './send-mail.ts';
