import { isCancelled, isLockRefusal, isUnreachable, isWriteRefusal } from '@service/database';
import { AppError, commonErrors, issuesMax, type Issue } from '@service/errors';
import type { Log } from '@service/log';
import { TRPCError } from '@trpc/server';
import { getHTTPStatusCodeFromError } from '@trpc/server/http';
import { z } from 'zod';

/** The wait before another try after the database could not be reached. A restart of Postgres takes a few seconds. */
const unreachableRetrySeconds = 5;
/** The wait after a refused write: disk space must be freed, or another server must take over. */
const writeRetrySeconds = 10;
/** The wait after a lock that was not free in time. */
const lockRetrySeconds = 2;
/** The wait after a statement that took too long. */
const slowRetrySeconds = 5;

/**
 * The AppError of a thrown value: service_unavailable when the database cannot be reached, writes_unavailable when it takes no
 * writes, service_busy when a lock was not free in time, query_timeout when a statement took too long, and internal_error for every unknown error, which becomes its cause.
 */
export function errorOf(thrown: unknown, refused?: Refused): AppError {
  const known = findAppError(thrown);
  if (known) return known;
  if (isUnreachable(thrown)) {
    return commonErrors.service_unavailable({ retryAfterSeconds: unreachableRetrySeconds, cause: thrown });
  }
  if (isWriteRefusal(thrown)) {
    return commonErrors.writes_unavailable({ retryAfterSeconds: writeRetrySeconds, cause: thrown });
  }
  if (isLockRefusal(thrown)) {
    return commonErrors.service_busy({ retryAfterSeconds: lockRetrySeconds, cause: thrown });
  }
  if (isCancelled(thrown)) {
    return commonErrors.query_timeout({ retryAfterSeconds: slowRetrySeconds, cause: thrown });
  }
  const refusal = thrown instanceof TRPCError ? refusalOf(thrown, refused) : undefined;
  return refusal ?? commonErrors.internal_error({ cause: thrown });
}

/** Looks through the causes too: tRPC and the ORM wrap the errors that are thrown inside them. */
function findAppError(thrown: unknown): AppError | undefined {
  for (let current = thrown; current instanceof Error; current = current.cause)
    if (current instanceof AppError) return current;
  return undefined;
}

/** The refusal of a TRPCError that the caller caused. Undefined for a fault of the service. */
function refusalOf(error: TRPCError, refused: Refused | undefined): AppError | undefined {
  const { code, cause } = error;
  if (code === 'BAD_REQUEST' && cause instanceof z.core.$ZodError) {
    return commonErrors.validation_failed({ issues: issuesOf(cause, refused), cause: error });
  }
  if (code === 'NOT_FOUND') return commonErrors.not_found({ cause: error });
  if (code === 'METHOD_NOT_SUPPORTED') return commonErrors.method_not_allowed({ cause: error });
  if (code === 'PAYLOAD_TOO_LARGE') return commonErrors.body_too_large({ cause: error });
  if (code === 'UNSUPPORTED_MEDIA_TYPE') return commonErrors.unsupported_media_type({ cause: error });
  // tRPC has more codes for faults of the caller than this service has errors.
  return getHTTPStatusCodeFromError(error) < 500
    ? commonErrors.malformed_request({ cause: error })
    : undefined;
}

/** The parsed input. Throws validation_failed with all problems. */
export function parseInput<Output>(schema: z.ZodType<Output>, input: unknown): Output {
  const parsed = schema.safeParse(input);
  if (parsed.success) return parsed.data;
  throw commonErrors.validation_failed({ issues: issuesOf(parsed.error, { input }) });
}

/** Refuses an input whose surface found problems: names them together with those of the schema. A path is named by one of both. */
export function refuseInput(schema: z.ZodType, input: unknown, found: readonly Issue[]): AppError {
  const { error } = schema.safeParse(input);
  const named = new Set(found.map(({ path }) => path));
  const others = error?.issues.flatMap((issue) => toIssues(issue, { input })) ?? [];
  const issues = [...found, ...others.filter(({ path }) => !named.has(path))];
  return commonErrors.validation_failed({ issues: upToMax(issues) });
}

/** The refused value. Without it a missing field is known only by zod's own message about its type. */
interface Refused {
  input: unknown;
}

/** The problems of a refused input. Each unknown field is a problem of its own, and a missing one is `Required.` */
export function issuesOf(error: z.core.$ZodError, refused?: Refused): Issue[] {
  return upToMax(error.issues.flatMap((issue) => toIssues(issue, refused)));
}

function upToMax(issues: Issue[]): Issue[] {
  if (issues.length <= issuesMax) return issues;
  const more = issues.length - issuesMax;
  return [...issues.slice(0, issuesMax), { path: 'body', message: `And ${more} more problems.` }];
}

function toIssues(issue: z.core.$ZodIssue, refused: Refused | undefined): Issue[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: 'Unknown field.' }));
  }
  if (isMissing(issue, refused)) return [{ path: pathOf(issue.path), message: 'Required.' }];
  const inOption = issue.code === 'invalid_union' ? problemsOfOption(issue) : undefined;
  if (inOption)
    return inOption.flatMap((inner) => toIssues({ ...inner, path: [...issue.path, ...inner.path] }, refused));
  return [{ path: pathOf(issue.path), message: issue.message }];
}

/** The codes with which a schema refuses a value of another type. Checks of a value have other codes. */
const typeCodes: ReadonlySet<string | undefined> = new Set([
  'invalid_type',
  'invalid_value',
  'invalid_union',
]);

/** zod's own messages about a value that is not there are written for programmers, and some schemas have their own. */
function isMissing({ code, path, message }: z.core.$ZodIssue, refused: Refused | undefined): boolean {
  if (!typeCodes.has(code)) return false;
  if (!refused) return /^Invalid input: .* received undefined$/.test(message);
  return valueAt(refused.input, path) === undefined;
}

const valueAt = (input: unknown, path: readonly PropertyKey[]): unknown =>
  path.reduce((value, name) => (value as Record<PropertyKey, unknown> | null | undefined)?.[name], input);

/** The problems of the one option of a union that the value resembles: zod's own message names none. Undefined if there are several. */
function problemsOfOption({ message, errors }: z.core.$ZodIssueInvalidUnion): z.core.$ZodIssue[] | undefined {
  if (message !== 'Invalid input') return undefined;
  const ofType = errors.filter((problems) =>
    problems.every(({ code, path }) => code !== 'invalid_type' || path.length > 0),
  );
  const inside = ofType.filter((problems) => problems.some(({ path }) => path.length > 0));
  const closest = ofType.length === 1 ? ofType : inside;
  return closest.length === 1 ? closest[0] : undefined;
}

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.');

/** While the database cannot be reached every request fails. One line in this time represents all of them. */
const warnEveryMs = 10_000;

interface Warnings {
  nextAtMs: number;
  /** Failures since the last line. */
  unlogged: number;
}

const warningsByLog = new WeakMap<Log, Warnings>();

/**
 * Logs an answered error that is a fault of the service: an internal error with its cause each time, and a database that cannot be
 * reached, takes no writes or is too slow as a warning at most every 10 s.
 */
export function logFailure(
  log: Log,
  error: AppError,
  { message, ...fields }: { message: string; requestId: string | undefined; path?: string | undefined },
): void {
  if (error.kind === 'internal') log.error({ err: error.cause, ...fields }, message);
  if (error.kind === 'unavailable' && error.cause !== undefined) warnAtMostEvery10s(log, error, fields);
}

function warnAtMostEvery10s(log: Log, error: AppError, fields: object, nowMs = performance.now()): void {
  const { nextAtMs, unlogged } = warningsByLog.get(log) ?? { nextAtMs: -Infinity, unlogged: 0 };
  if (nowMs < nextAtMs) {
    warningsByLog.set(log, { nextAtMs, unlogged: unlogged + 1 });
    return;
  }
  log.warn({ err: error.cause, ...fields, unlogged }, 'The database is unavailable');
  warningsByLog.set(log, { nextAtMs: nowMs + warnEveryMs, unlogged: 0 });
}
