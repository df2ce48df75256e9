export { createMailbox, type Mailbox, type MailboxMail } from './mailbox.ts';
export { defaultBacklogMax } from './queue/mail-counts.ts';
export { createMailWorker } from './send/mail-worker.ts';
export {
  createReportLinks,
  createUnsubscribeLinks,
  type ReportLinks,
  type UnsubscribeLinks,
} from './suppression/links.ts';
export { mailsModule } from './module.ts';
export { openMailer, sendMailJob, type MailSettings } from './send-mail.ts';
