export { accountMigrations } from './migrations/index.ts';
export { accountsRouter } from './router.ts';
export { createAccounts, type Accounts, type AccountsOptions } from './create-accounts.ts';
export { deleteExpiredSessions } from './delete-expired-sessions.ts';
export { findOwnerAddresses } from './find-owner-addresses.ts';
export { resumeMembers, suspendMembers } from './suspension.ts';
export type { SessionAnswer } from './session-handler.ts';
