export { accountsModule } from './module.ts';
export { createAccountsRouter } from './router.ts';
export { createAccounts, type Accounts, type AccountsOptions } from './create-accounts.ts';
export { findBranding } from './branding.ts';
export { purgeDeletedWorkspaces, type PurgeRows } from './delete-workspace.ts';
export { deleteEndedSignInAttempts, deleteExpiredSessions, endAllSignIns } from './delete-expired.ts';
export { findNotifiedAccounts, findNotifiedAddresses, takeRecipients } from './notifications.ts';
export { recordMemberChange } from './member-changes.ts';
export type { CallLimit } from './member-admission.ts';
export { findMemberAddress, findMemberAddresses, type MembershipSubscriber } from './members.ts';
export {
  createSuspension,
  findSuspendedAccounts,
  type Suspension,
  type SuspensionSubscriber,
} from './suspension.ts';
export type { SessionAnswer } from './session-handler.ts';
export { resealTwoFactor, switchOffTwoFactor } from './two-factor.ts';
export { findTimeZone, findWorkspaceNames } from './workspace.ts';
export type { SignUpMode } from './sign-up.ts';
export type { MemberStreams } from './stream/streams.ts';
