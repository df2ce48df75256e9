// Errors as pages show them: one sentence, the request id to quote, and the refused fields.
import type { TRPCClientError } from '@trpc/client';
import type { ServiceRouter } from './trpc.ts';

export interface Failure {
  code: string;
  /** The HTTP status. Undefined when the service could not be reached. */
  status: number | undefined;
  message: string;
  requestId: string | undefined;
  issues: readonly { path: string; message: string }[];
  /** The wait before a retry can succeed. */
  retryAfterSeconds?: number | undefined;
}

/** Converts every error of a query or a mutation. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestFailure) return error.failure;
  if (isCallFailure(error)) {
    const { data, message } = error;
    if (data) {
      const { code, httpStatus: status, requestId, issues = [], retryAfterSeconds } = data;
      return { code, status, message, requestId, issues, retryAfterSeconds };
    }
  }
  return {
    code: 'unreachable',
    status: undefined,
    message: 'The service could not be reached. Check your connection and try again.',
    requestId: undefined,
    issues: [],
  };
}

/** True for an error that the service answered, false for an error in the code of this page. */
export const isFromService = (error: unknown): boolean =>
  error instanceof RequestFailure || isCallFailure(error);

/** By its name: with the class, the sign-in page would load the client of tRPC. */
const isCallFailure = (error: unknown): error is TRPCClientError<ServiceRouter> =>
  error instanceof Error && error.name === 'TRPCClientError';

/** The current record of a 412. */
export const currentOf = (error: unknown): object | undefined =>
  isCallFailure(error) ? error.data?.data : undefined;

/** True when the service did not answer, or something in front of it did. */
export function isOutage(error: unknown): boolean {
  const { status } = failureOf(error);
  return status === undefined || (status >= 502 && status <= 504);
}

/** The messages that a form shows beside its fields, by path. */
export function fieldErrors(failure: Failure, fields: readonly string[]): Record<string, string> {
  const known = failure.issues.filter((issue) => fields.includes(issue.path));
  return Object.fromEntries(known.map((issue) => [issue.path, issue.message]));
}

/** True when the same call may succeed later. A refused input stays refused. */
export function isWorthRetrying(error: unknown): boolean {
  const { status, retryAfterSeconds = 0 } = failureOf(error);
  const isTemporary = status === undefined || status === 429 || status >= 500;
  // A longer wait is shown to the person, with its reason.
  return isTemporary && retryAfterSeconds <= waitMaxSeconds;
}

const waitMaxSeconds = 10;

/**
 * The wait before a query is repeated: the Retry-After of the service, else 1 s, then 2 s. A random part of up to a second
 * keeps the queries of a page from repeating all at once.
 */
export function retryDelayMs(count: number, error: unknown): number {
  const seconds = failureOf(error).retryAfterSeconds ?? 2 ** count;
  return (seconds + Math.random()) * 1000;
}

export class RequestFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'RequestFailure';
    this.failure = failure;
  }
}
