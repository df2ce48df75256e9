export { createMailbox, type Mailbox, type MailboxMail } from './mailbox.ts';
export { defaultBacklogMax, measureMails, type MailBacklog } from './queue/mail-counts.ts';
export { resumeAllMails, stopAllMails } from './queue/suspend-lane.ts';
export { createMailWorker, type MailWorker } from './send/mail-worker.ts';
export type { MailResult } from './send/record-results.ts';
export type { SavedRuleMail } from './send/prepare.ts';
export {
  createReportLinks,
  createUnsubscribeLinks,
  type ReportLinks,
  type UnsubscribeLinks,
} from './suppression/suppression-links.ts';
export { findSuppressed } from './suppression/suppressions.ts';
export {
  cancelRuleMails,
  findMailOutcomes,
  queueRuleMails,
  type QueuedRuleMail,
  type MailOutcome,
  type RuleMailDraft,
} from './queue/rule-mails.ts';
export { mailStatus } from './api/schemas.ts';
export { problemsOfRuleMail, ruleMailFields, type RuleMail } from './content/rule-mail.ts';
export { mailsModule } from './module.ts';
export { openMailer, sendMailJob, type MailSettings } from './send-mail.ts';
