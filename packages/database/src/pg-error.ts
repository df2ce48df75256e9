/** Whether a thrown error is Postgres refusing a duplicate (SQLSTATE 23505), of one constraint if named. */
export function isUniqueViolation(error: unknown, constraint?: string): boolean {
  const refusal = findRefusal(error);
  return refusal?.code === '23505' && (constraint === undefined || refusal.constraint === constraint);
}

/** Whether a thrown error is Postgres refusing a row that a check or a partition's bounds exclude (SQLSTATE 23514). */
export const isCheckViolation = (error: unknown): boolean => findRefusal(error)?.code === '23514';

/** Whether a thrown error is a lock that was not to be had in time (55P03), or only by a deadlock (40P01). */
export const isLockRefusal = (error: unknown): boolean =>
  ['55P03', '40P01'].includes(findRefusal(error)?.code ?? '');

/** True when Postgres lacks the disk or memory for a write (class 53 without 53300, too many connections). */
export const isOutOfResources = (error: unknown): boolean =>
  /^53(?!300)/.test(findRefusal(error)?.code ?? '');

/** True when Postgres refuses to write: it is read-only (25006), or lacks disk or memory. */
export const isWriteRefusal = (error: unknown): boolean =>
  findRefusal(error)?.code === '25006' || isOutOfResources(error);

/** What Postgres said, however deep the ORM wrapped it. */
function findRefusal(error: unknown): { code: string; constraint?: string } | undefined {
  for (let current = error; current instanceof Error; current = current.cause) {
    const { code, constraint } = current as { code?: unknown; constraint?: string };
    // A SQLSTATE: errors of other libraries around it have codes of their own.
    if (typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code)) return { code, constraint };
  }
  return undefined;
}

/**
 * Whether Postgres said itself that it took a transaction back. Of a connection that was lost while it committed nobody knows
 * what became of it.
 */
export const isTakenBack = (error: unknown): boolean =>
  error instanceof Error && 'severity' in error && error.severity === 'ERROR';

/** SQLSTATE of a server that ends connections (08, 57P), is not ready for them (57P03) or has none left (53300). */
const unreachableStates = /^(?:08...|57P0[1-5]|53300)$/;

/** Codes that Node gives a socket to the database that could not be opened or was lost. */
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

/** The texts of node-postgres and its pool for a connection that was lost or could not be had; they carry no code. */
const unreachableTexts = [
  /^Connection terminated/,
  /^Client has encountered a connection error/,
  /^Client was closed and is not queryable/,
  /^timeout exceeded when trying to connect$/,
  /^timeout expired$/,
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
    // A host with several addresses, each of which refused.
    if (current instanceof AggregateError && current.errors.some(isUnreachable)) return true;
  }
  return false;
}
