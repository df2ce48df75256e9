import type pg from 'pg';

/** True for a unique violation (SQLSTATE 23505), of one constraint if it is named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const refusal = findRefusal(error);
  return refusal?.code === '23505' && (constraint === undefined || refusal.constraint === constraint);
}

/** True for a violation of a check or of a partition's bounds (SQLSTATE 23514). */
export const isCheckViolation = (error: unknown): boolean => findRefusal(error)?.code === '23514';

/** True for a value that Postgres cannot store (class 22), such as a text with NUL. A repetition is refused again. */
export const isRefusedValue = (error: unknown): boolean => findRefusal(error)?.code.startsWith('22') === true;

/**
 * True for a lock that was not free in time (55P03) and for a deadlock (40P01). When a lock becomes free in the moment in which its
 * timeout ends and the statement waits for a second one, Postgres forgets the timeout and says that a user cancelled the statement
 * (`ProcessInterrupts` in postgres.c).
 */
export function isLockRefusal(error: unknown): boolean {
  const refusal = findRefusal(error);
  return (
    ['55P03', '40P01'].includes(refusal?.code ?? '') ||
    (refusal?.code === '57014' && refusal.message.includes('user request'))
  );
}

/** True for a table that does not exist (42P01). */
export const isMissingTable = (error: unknown): boolean => findRefusal(error)?.code === '42P01';

/** True for a statement that was cancelled, as after the statement timeout (57014). */
export const isCancelled = (error: unknown): boolean => findRefusal(error)?.code === '57014';

/**
 * True for a read on a replica that the primary can answer: it was cancelled because the replica had to delete rows that it needed
 * (40001), or the replica lacks a table, column or schema of the newest migration (42P01, 42703, 3F000).
 */
export const isReplicaRefusal = (error: unknown): boolean =>
  ['40001', '42P01', '42703', '3F000'].includes(findRefusal(error)?.code ?? '');

/** True when Postgres lacks the disk or memory for a write (class 53 without 53300, too many connections). */
export const isOutOfResources = (error: unknown): boolean =>
  /^53(?!300)/.test(findRefusal(error)?.code ?? '');

/** True when Postgres refuses to write: it is read-only (25006), or lacks disk or memory. */
export const isWriteRefusal = (error: unknown): boolean =>
  findRefusal(error)?.code === '25006' || isOutOfResources(error);

/** The error of Postgres, also inside the errors of the ORM. */
function findRefusal(error: unknown): { code: string; message: string; constraint?: string } | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, message, constraint } = current as Error & { code?: unknown; constraint?: string };
    // Only a SQLSTATE: the errors of other libraries around it have other codes.
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return { code, message, constraint };
  }
  return undefined;
}

/** True when Postgres itself has rolled the transaction back. After a connection is lost during a commit the outcome is unknown. */
export const isTakenBack = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR';

/** SQLSTATE of a server that ends connections (08, 57P), does not accept them yet (57P03) or has no more (53300). */
const unreachableStates = /^(?:08...|57P0[1-5]|53300)$/;

/** Codes of Node for a socket that could not be opened or was lost. */
const unreachableSockets: ReadonlySet<string> = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
]);

/** Messages of node-postgres and its pool for a lost or missing connection. These errors have no code. */
const unreachableTexts = [
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Client was closed and is not queryable/,
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
  /^Query read timeout$/,
  /^Cannot use a pool after calling end on the pool$/,
];

/** True for an error that means that the database could not be reached, or that the connection was lost. */
export function isUnreachable(error: unknown): boolean {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code } = current as { code?: unknown };
    if (typeof code === 'string' && (unreachableStates.test(code) || unreachableSockets.has(code)))
      return true;
    const { message } = current;
    if (unreachableTexts.some((text) => text.test(message))) return true;
    // A host with several addresses that all refused.
    if (current instanceof AggregateError && current.errors.some(isUnreachable)) return true;
  }
  return false;
}

type WriteFault = 'read_only' | 'no_space';

const isReadOnly = `select current_setting('transaction_read_only')::boolean as read_only`;

// Writes a record to the write-ahead log, and some 500 KB to a temporary file, because the sort may use only 64 KB of memory. A row
// of a table would prove less: it may fit into the free space of a page. Nothing is stored.
const probe = `
  begin;
  set local work_mem = '64kB';
  select pg_logical_emit_message(true, 'probe', '');
  select count(*) from (
    select md5(number::text) || repeat('x', 100) as line from generate_series(1, 4000) number order by line offset 0
  ) sorted;
  commit`;

/** The reason why a database takes no writes, or undefined when it takes them. Throws when it cannot be reached. */
export async function findWriteFault(pool: pg.Pool): Promise<WriteFault | undefined> {
  const client = await pool.connect();
  let isClean = false;
  try {
    const { rows } = await client.query<{ read_only: boolean }>(isReadOnly);
    if (rows[0]!.read_only) {
      isClean = true;
      return 'read_only';
    }
    await client.query(probe);
    isClean = true;
    return undefined;
  } catch (error) {
    if (isOutOfResources(error)) return 'no_space';
    throw error;
  } finally {
    // A connection in a failed transaction is replaced.
    client.release(!isClean);
  }
}
