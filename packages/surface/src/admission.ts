// The decision whether a call may go on, or is refused with 401, 403 or 429. Modules authenticate credentials and count calls
// (`AdmitClient`); the refusals are chosen here.
import type { Scope, Surface } from '@service/catalogue';
import { commonErrors, type AppError } from '@service/errors';
import type { ClientPrincipal } from '@service/trpc';

/** Refusals come in one order on all surfaces: credential, suspension, rate limit, scope, then an unknown target. */
export function requireAdmission(
  admission: Admission | null,
  credentials: CredentialScheme,
  { authorization, scopes }: { authorization: string | undefined; scopes: readonly Scope[] },
): Admission {
  if (!admission) throw credentials.refuse(authorization);
  if (admission.isSuspended) throw commonErrors.account_suspended();
  const { retryAfterSeconds } = admission.rate;
  if (retryAfterSeconds !== undefined) throw commonErrors.rate_limited({ retryAfterSeconds });
  const granted = admission.principal.scopes;
  if (!scopes.every((scope) => granted.has(scope))) throw credentials.refuseScopes(scopes);
  return admission;
}

/** An admission is checked again when the body of its call took longer, in milliseconds: the credential may have been revoked meanwhile. */
export const admissionMaxAgeMs = 1000;

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
  /** False: the call was counted before. */
  isCounted?: boolean;
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

/**
 * Access tokens of connectors (RFC 6750, section 3, and RFC 9728, section 5.1). A client that gets 401 refreshes its token and
 * tries again. So a token without the scope gets 403, with the scopes of this call only: the client adds those that it has.
 */
export function grantScheme(admit: AdmitClient, metadataUrl: string): CredentialScheme {
  const metadata = `resource_metadata="${metadataUrl}"`;
  return {
    admit,
    admitsWithoutScopes: true,
    refuse: (authorization) =>
      commonErrors.invalid_access_token({
        challenge:
          authorization === undefined ? `Bearer ${metadata}` : `Bearer error="invalid_token", ${metadata}`,
      }),
    refuseScopes: (scopes) =>
      commonErrors.insufficient_scope({
        challenge: `Bearer error="insufficient_scope", scope="${scopes.join(' ')}", ${metadata}`,
        details: { scopes },
      }),
  };
}
