export type { ConnectionState } from './connection/connection.ts';
export {
  createConnections,
  type Connections,
  type MailConnection,
  type OpenMailConnection,
} from './mail/mail-connections.ts';
export {
  createConnectedAccounts,
  findMarketingProviders,
  findSyncTargets,
  type ConnectedAccounts,
  type SyncTarget,
} from './connection/connected-accounts.ts';
export type {
  MarketingConnection,
  MarketingConnections,
  MarketingObservation,
  OpenMarketingConnection,
} from './marketing/marketing-connections.ts';
export {
  FieldPolicy,
  syncFieldNames,
  SyncSettings,
  syncTagNames,
  syncTags,
  type SyncField,
  type SyncTag,
} from './connection/sync-settings.ts';
export { findFieldTypes } from './marketing/field-types.ts';
export { connectionsModule } from './module.ts';
export { takeConnectionNotices, type ConnectionNotice } from './outcome/connection-notices.ts';
export type { Recorded, UsedConnection } from './outcome/record-outcome.ts';
