import { isWriteRefusal } from '@service/database';
import { AppError, commonErrors, type Issue } from '@service/errors';
import { TRPCError } from '@trpc/server';
import { z } from 'zod';

/** Seconds until a refused write is worth another try: disk space must be freed, or another server must take over. */
const writeRetrySeconds = 10;

/** The AppError behind whatever was thrown. Anything unknown becomes internal_error with the original as its cause. */
export function errorOf(thrown: unknown): AppError {
  if (thrown instanceof AppError) return thrown;
  if (isWriteRefusal(thrown))
    return commonErrors.writes_unavailable({ retryAfterSeconds: writeRetrySeconds, cause: thrown });
  if (thrown instanceof TRPCError) {
    if (thrown.cause instanceof AppError) return thrown.cause;
    if (thrown.code === 'BAD_REQUEST' && thrown.cause instanceof z.core.$ZodError) {
      return commonErrors.validation_failed({ issues: issuesOf(thrown.cause), cause: thrown });
    }
    if (thrown.code === 'NOT_FOUND') return commonErrors.not_found({ cause: thrown });
    if (thrown.code === 'BAD_REQUEST' || thrown.code === 'PARSE_ERROR') {
      return commonErrors.malformed_request({ cause: thrown });
    }
  }
  return commonErrors.internal_error({ cause: thrown });
}

/** Most problems an answer names: a body of a megabyte can have a hundred thousand. */
const issuesMax = 100;

/** Every problem of a refused input, an unknown field being a problem of its own. */
export function issuesOf(error: z.core.$ZodError): Issue[] {
  const issues = error.issues.flatMap((issue) => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ path: pathOf([...issue.path, key]), message: 'Unknown field.' }));
    }
    return [{ path: pathOf(issue.path), message: issue.message }];
  });
  if (issues.length <= issuesMax) return issues;
  const more = issues.length - issuesMax;
  return [...issues.slice(0, issuesMax), { path: 'body', message: `And ${more} more problems.` }];
}

const pathOf = (path: readonly PropertyKey[]): string => path.map(String).join('.');
