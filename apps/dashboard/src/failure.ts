// What went wrong, in the form pages show it: one sentence, the request id to quote, and the fields that were refused.
import { TRPCClientError } from '@trpc/client';
import type { ServiceRouter } from './trpc.ts';

export interface Failure {
  code: string;
  message: string;
  requestId: string | undefined;
  issues: readonly { path: string; message: string }[];
}

/** The failure behind anything a query, a mutation or `callJson` can throw. */
export function failureOf(error: unknown): Failure {
  if (error instanceof RequestFailure) return error.failure;
  if (error instanceof TRPCClientError) {
    const { data, message } = error as TRPCClientError<ServiceRouter>;
    if (data) {
      return { code: data.code, message, requestId: data.requestId, issues: data.issues ?? [] };
    }
  }
  return {
    code: 'unreachable',
    message: 'The service could not be reached. Check your connection and try again.',
    requestId: undefined,
    issues: [],
  };
}

/** Whether the service said it, rather than something in this page breaking. */
export const isFromService = (error: unknown): boolean =>
  error instanceof RequestFailure || error instanceof TRPCClientError;

/** Refusals a form shows beside its fields: path to message, for the fields the form has. */
export function fieldErrors(failure: Failure, fields: readonly string[]): Record<string, string> {
  const known = failure.issues.filter((issue) => fields.includes(issue.path));
  return Object.fromEntries(known.map((issue) => [issue.path, issue.message]));
}

/** Whether repeating the same call could help. A refusal of what was asked cannot change by asking again. */
export function isWorthRetrying(error: unknown): boolean {
  return ['unreachable', 'internal_error'].includes(failureOf(error).code);
}

export class RequestFailure extends Error {
  readonly failure: Failure;

  constructor(failure: Failure) {
    super(failure.message);
    this.name = 'RequestFailure';
    this.failure = failure;
  }
}
