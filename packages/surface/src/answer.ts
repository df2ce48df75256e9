import { httpStatusByKind, type AppError } from '@service/errors';
import type { KeptAnswer, Reply } from '@service/trpc';
import type { Procedure, ProcedureResult } from './procedure.ts';

/** The answer of a call. It is made once: the text that is sent is also the text that is kept for an idempotency key. */
export interface Answer extends KeptAnswer {
  /** True for the kept answer of an earlier call. */
  replayed: boolean;
  /** The value of `body`. Undefined for a refusal and for a replay. */
  data: unknown;
  /** Undefined for a success and for a replay. */
  error: AppError | undefined;
}

/** The locations of created objects are paths of the REST API on all surfaces. Kept answers contain them in this form. */
const restPath = '/api/v1';

export const toAnswer = (
  { data, text = JSON.stringify(data) }: ProcedureResult,
  reply: Reply,
  { status }: Procedure,
): Answer => ({
  status: reply.status ?? status,
  body: text ?? null,
  location: reply.location === undefined ? null : `${restPath}${reply.location}`,
  replayed: false,
  data,
  error: undefined,
});

export const toRefusal = (error: AppError, context: ErrorContext): Answer => ({
  status: httpStatusByKind[error.kind],
  body: JSON.stringify(errorToBody(error, context)),
  location: null,
  replayed: false,
  data: undefined,
  error,
});

/**
 * True for the refusal that looks the same for every caller. A key that lacks a scope for what its call asks gets it after its admission,
 * so its answer must not show the rate limit.
 */
export const hidesCaller = ({ error }: Answer): boolean => error?.code === 'invalid_api_key';

export const toReplay = (kept: KeptAnswer): Answer => ({
  ...kept,
  replayed: true,
  data: undefined,
  error: undefined,
});

/** Why a call was refused, without any value of its input. */
export interface Refusal {
  code: string;
  /** The paths of the refused fields. A path can contain the name of an unknown field. */
  fields: readonly string[];
  /** The problem of each of them, in the same order, without values. */
  messages: readonly string[];
}

/** The refusal in an answer; undefined for a success. A kept refusal has no `error`, so it is read from its body. */
export function refusalOf({ status, error, body }: Answer): Refusal | undefined {
  if (status < firstFailure) return undefined;
  const { code, issues = [] } = error ?? (JSON.parse(body ?? '{}') as Pick<AppError, 'code' | 'issues'>);
  return {
    code,
    fields: issues.map(({ path }) => path),
    messages: issues.map(({ message }) => withoutValues(message)),
  };
}

/** The only messages of zod with quotes. They list what a schema takes. */
const listsChoices = /^Invalid (option|input|discriminator value)\b/;

/** Messages of zod that begin like this have a colon, and no value after it. */
const hasOwnColon = /^(Invalid|Too (big|small))\b/;

/** The rest of a message after its first colon is the answer of a provider ("Brevo: ...") or a list of names. */
const afterColon = /: .*/s;

/** From the first quote to the last, because a quoted name may contain quotes. */
const quotedNames = /["“”].*["“”]/s;

/** Variables are in braces. Keys, addresses and URLs are long, or have such letters. */
const values = /\{\{.*?(?:\}\}|$)|\S*(?:@|:\/\/)\S*|[^\s,.]{24,}/g;

/** A message of an issue with an ellipsis instead of each part that may come from a caller, a record or a provider. */
export function withoutValues(message: string): string {
  if (listsChoices.test(message)) return message;
  const own = hasOwnColon.test(message) ? message : message.replace(afterColon, ': …');
  return own.replace(quotedNames, '…').slice(0, messageMax).replaceAll(values, '…');
}

/** Longer ones are cut before they are searched for values without quotes. */
const messageMax = 500;

/** Answers with this status or a higher one are failures. */
const firstFailure = 400;

interface ErrorContext {
  requestId: string;
  docsUrl: string;
}

/** The one shape of errors. `issues`, `details` and `data` are left out when there are none. */
export const errorToBody = (error: AppError, { requestId, docsUrl }: ErrorContext) => ({
  code: error.code,
  message: error.message,
  ...(error.issues && { issues: error.issues }),
  ...(error.details && { details: error.details }),
  ...(error.data && { data: error.data }),
  requestId,
  docUrl: `${docsUrl}/errors#${error.code}`,
});
