import type { Scope, Surface } from '@service/catalogue';
import { databaseTime, type Database } from '@service/database';
import { commonErrors, type AppError } from '@service/errors';
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
  /** The account whose calls are counted. Undefined for a session. */
  accountId?: string;
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
 * Authenticates a call and counts it in the window of its account. Null for every cause of a 401. A credential needs all of
 * `scopes`; there are none when the call names no procedure, or when any credential is enough.
 */
export type AdmitClient = (request: {
  authorization: string | undefined;
  surface: Surface;
  scopes: readonly Scope[];
}) => Promise<Admission | null>;

/** The credentials of a surface: how its calls are admitted, and how they are refused without a sufficient credential. */
export interface CredentialScheme {
  admit: AdmitClient;
  /** True if `admit` also admits a credential that lacks one of the scopes. Its call is counted and refused with `refuseScopes`. */
  admitsWithoutScopes: boolean;
  /** The refusal of a call without a valid credential. */
  refuse: (authorization: string | undefined) => AppError;
  /** The refusal of a call with a valid credential that lacks one of the scopes. */
  refuseScopes: (scopes: readonly Scope[]) => AppError;
}

/** API keys. A key without the scope is answered like an unknown one, so that a stolen key does not reveal its scopes. */
export const keyScheme = (admit: AdmitClient): CredentialScheme => ({
  admit,
  admitsWithoutScopes: false,
  refuse: () => commonErrors.invalid_api_key(),
  refuseScopes: () => commonErrors.invalid_api_key(),
});

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
