export { contactsModule } from './module.ts';
export { createContactWorker, type ContactWorker } from './send/contact-worker.ts';
export type { Clock } from './send/lane-run.ts';
export { releaseParkedChanges } from './send/parked-changes.ts';
export {
  countWaitingChanges,
  measureContacts,
  type ContactBacklog,
  type WaitingChanges,
} from './change/count-waiting.ts';
export { contactResults, type ContactResult } from './entities.ts';
export { continueRuns, deleteRunsBefore } from './runs/runs.ts';
export { contactStatuses, findContactOutcomes } from './rule/rule-outcomes.ts';
export {
  findToolIssues,
  isEmptyContact,
  queueRuleChanges,
  ruleContactFields,
  type RuleContact,
} from './rule/rule-contact.ts';
