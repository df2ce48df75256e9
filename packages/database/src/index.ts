export { openDatabase, type Database } from './open-database.ts';
export { type AccountReader, type AccountWriter, type Transaction } from './account-work.ts';
export { accountWriter } from './account-writer.ts';
export { listenFor, type Listening } from './listen.ts';
export { rowToEntity, type Query, type Statement } from './query.ts';
export type { OpenTransaction } from './transaction.ts';
export { migrateDatabase, pendingMigrations, type MigrationEntry } from './migrate.ts';
export { ensurePartitions, dropPartitionsBefore, type PartitionedTable } from './partitions.ts';
export {
  clockOffsetMaxMs,
  clockOffsetMs,
  databaseTime,
  observeDatabaseTime,
  readDatabaseTime,
} from './database-clock.ts';
export { createId, idAt, idTime } from './id.ts';
export { isLockRefusal, isTakenBack, isUniqueViolation } from './pg-error.ts';
