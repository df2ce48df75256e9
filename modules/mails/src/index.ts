export { createMailbox, type Mailbox } from './mailbox.ts';
export { mailsModule } from './module.ts';
export { openMailer, sendMailJob, type MailSettings } from './send-mail.ts';
