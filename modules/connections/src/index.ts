export type { ConnectionState } from './connection/connection.ts';
export {
  createConnections,
  type Connections,
  type MailConnection,
  type OpenMailConnection,
} from './mail/mail-connections.ts';
export { connectionsModule } from './module.ts';
export { takeConnectionNotices, type ConnectionNotice } from './outcome/connection-notices.ts';
export type { Recorded, UsedConnection } from './outcome/record-outcome.ts';
