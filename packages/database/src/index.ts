export {
  openDatabase,
  type ConnectionOptions,
  type Database,
  type ReplicaSettings,
} from './open-database.ts';
export { openPool } from './connection-settings.ts';
export type { AccountDatabase, LateReads } from './account-database.ts';
export { createConnectionGate, type GateUsage } from './connection-gate.ts';
export {
  accountWriter,
  lockLimit,
  takePlace,
  type AccountQueries,
  type AccountReader,
  type AccountWriter,
  type Transaction,
} from './account-work.ts';
export { toArrays, unnestArrays } from './binary-array.ts';
export { listenFor, type Listening } from './listen-for.ts';
export { listStatements } from './orm-options.ts';
export { queryOn, statement, type Query, type RowsOf, type Statement } from './query.ts';
export { column, entityRow, nullable, partialRow, toSnakeCase, type RowWith } from './row.ts';
export {
  anyOf,
  hasRow,
  insertFromJson,
  dueBy,
  dueWithinMs,
  isFirstDue,
  rowsToColumns,
  selectList,
  setExcluded,
} from './statement-text.ts';
export { pageBytesMax, withinBytes, withinBytesColumns } from './within-bytes.ts';
export type { OpenTransaction } from './transaction.ts';
export { barsOf, floorTo, quarterMs, wholeQuarters, type Bars, type Span } from './bars.ts';
export { migrateDatabase } from './migration/migrate-database.ts';
export { closedSet, isCompatible, type MigrationEntry } from './migration/migration.ts';
export { findSchemaProblem } from './migration/schema-problem.ts';
export { ensurePartitions } from './partitions.ts';
export { rebuildIndexes } from './rebuild-indexes.ts';
export { dropPartitionsBefore, roundDaysMax, createOldRowsDeleter } from './delete-old-rows.ts';
export { inPartitions, startOfPeriod, type PartitionedTable } from './partition.ts';
export {
  clockOffsetMaxMs,
  clockOffsetMs,
  databaseTime,
  observeDatabaseTime,
  readClock,
  readClockWith,
  readDatabaseTime,
  type ClockReading,
} from './database-clock.ts';
export {
  bytesToId,
  clockSkewMs,
  createId,
  highestId,
  idAt,
  idBytes,
  idTime,
  idToBytes,
  isId,
  lowestId,
  lowestIdSince,
} from './id.ts';
export { mapInTurns, nextTurn, partMs } from './long-work.ts';
export {
  currentPayer,
  threadCpuMs,
  workFor,
  workForCaller,
  workForRequest,
  type Payer,
} from './thread-time.ts';
export {
  findWriteFault,
  isCancelled,
  isLockRefusal,
  isMissingTable,
  isRefusedValue,
  isTakenBack,
  isUniqueViolation,
  isUnreachable,
  isWriteRefusal,
} from './pg-error.ts';
