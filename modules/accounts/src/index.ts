export { accountMigrations } from './migrations/index.ts';
export { accountsRouter } from './router.ts';
export { createAccounts, type Accounts, type AccountsOptions } from './create-accounts.ts';
export { deleteEndedSignInAttempts } from './delete-ended-sign-in-attempts.ts';
export type { CallLimit } from './member-admission.ts';
export { deleteExpiredSessions } from './delete-expired-sessions.ts';
export { findOwnerAddresses } from './find-owner-addresses.ts';
export type { SessionAnswer } from './session-handler.ts';
export type { SignUpMode } from './sign-up.ts';
