export { createMailbox, type Mailbox, type MailboxMail } from './mailbox.ts';
export { createMailWorker } from './send/mail-worker.ts';
export { createReportLinks, type ReportLinks } from './suppression/report-links.ts';
export { createUnsubscribeLinks, type UnsubscribeLinks } from './suppression/unsubscribe-links.ts';
export { mailsModule } from './module.ts';
export { openMailer, sendMailJob, type MailSettings } from './send-mail.ts';
