import type { Scope, Surface } from '@service/catalogue';
import { databaseTime, type Database } from '@service/database';
import { commonErrors } from '@service/errors';
import type { Log } from '@service/log';
import {
  createReply,
  type ClientPrincipal,
  type Principal,
  type RequestContext,
  type Written,
} from '@service/trpc';

/** The state of a rate limit in the current window. */
export interface RateState {
  limit: number;
  /** Never negative. */
  remaining: number;
  /** The end of the window by the database's clock, in Unix seconds. */
  resetsAt: number;
  /** Set when this call exceeds the limit: the seconds until the end of the window, at least 1. */
  retryAfterSeconds: number | undefined;
}

/** A call of a client with a valid credential, counted in the window of its account. */
export interface Admission {
  principal: ClientPrincipal;
  rate: RateState;
  /** The time of the call by the database's clock. It becomes `ctx.now`. */
  now: Date;
  /** An operator has suspended the account. */
  isSuspended: boolean;
}

/**
 * Authenticates a call and counts it in the window of its account. Null for every cause of a 401. A credential must have all of
 * `scopes`; there are none when the call names no procedure, or when any credential is enough.
 */
export type AdmitClient = (request: {
  authorization: string | undefined;
  surface: Surface;
  scopes: readonly Scope[];
}) => Promise<Admission | null>;

/** Throws the refusal of a call that exceeds a limit. */
export function requireCallsLeft(
  rate: RateState | undefined,
  refusal: 'rate_limited' | 'too_many_calls',
): void {
  if (rate?.retryAfterSeconds !== undefined) {
    throw commonErrors[refusal]({ retryAfterSeconds: rate.retryAfterSeconds });
  }
}

/** The result of an admission that procedures need. Members have one too; without a session their principal is null. */
interface Admitted {
  principal: Principal | null;
  /** Undefined when the refusal came from memory. */
  now: Date | undefined;
  isSuspended: boolean;
}

/** The parts of every context. */
export interface ContextParts {
  database: Database;
  log: Log;
  /** Called after the commit of every write. Must not throw. */
  onWritten: (write: Written) => void;
}

/** The context in which the procedure of an admitted call runs. */
export function toRequestContext(
  { principal, now, isSuspended }: Admitted,
  { database, log, onWritten }: ContextParts,
  requestId: string,
): RequestContext {
  return {
    principal,
    database: principal ? database.ofAccount(principal.accountId) : database,
    now: now ?? databaseTime(),
    isSuspended,
    log: log.child({ requestId }),
    requestId,
    reply: createReply(),
    onWritten,
  };
}
