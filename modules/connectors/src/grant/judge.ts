// Decides about a code or a refresh token that a client presents, from the locked row of its grant.
import { hash } from 'node:crypto';
import type { EndReason } from '../schemas.ts';
import { matchesSecret, type CredentialKind, type GrantCredential } from './credential.ts';
import type { Grant } from './grant.ts';

export interface Presented {
  kind: CredentialKind;
  credential: Pick<GrantCredential, 'generation' | 'secret'>;
  clientId: string;
  /** For a code. */
  redirectUri?: string | undefined;
  codeVerifier?: string | undefined;
}

/**
 * `rotate`: the next refresh token replaces this one. `repeat`: the client sent the refresh token twice, and gets its successor again.
 * `end`: a credential was used again, so two parties have it and the grant ends.
 */
export type Verdict =
  | { kind: 'rotate' | 'repeat' }
  | { kind: 'end'; reason: EndReason }
  | { kind: 'refuse'; why: string };

type JudgedGrant = Pick<
  Grant,
  | 'secretHash'
  | 'clientId'
  | 'redirectUri'
  | 'codeChallenge'
  | 'generation'
  | 'refreshedAt'
  | 'expiresAt'
  | 'endedAt'
>;

/**
 * The time for which the former refresh token is still accepted. Two processes of a client refresh at once, and a client repeats a
 * request whose answer was lost.
 */
export const repeatMs = 30_000;

export function judge(grant: JudgedGrant | undefined, presented: Presented, now: Date): Verdict {
  const { kind, credential, clientId } = presented;
  if (!grant || !matchesSecret(credential.secret, grant.secretHash))
    return refuse('The code or the refresh token is not valid.');
  if (grant.clientId !== clientId) return refuse(`The ${nameOf(kind)} was issued to another client.`);
  if (grant.endedAt) return refuse('The grant has ended.');
  if (kind === 'code' && grant.generation > 0) return { kind: 'end', reason: 'code_reused' };
  if (grant.expiresAt <= now) return refuse(`The ${nameOf(kind)} has expired.`);
  return kind === 'code' ? judgeCode(grant, presented) : judgeRefreshToken(grant, credential.generation, now);
}

function judgeCode(grant: JudgedGrant, { redirectUri, codeVerifier }: Presented): Verdict {
  if (redirectUri !== grant.redirectUri)
    return refuse('redirect_uri is not that of the authorization request.');
  if (challengeOf(codeVerifier) !== grant.codeChallenge)
    return refuse('code_verifier does not match code_challenge.');
  return { kind: 'rotate' };
}

function judgeRefreshToken({ generation, refreshedAt }: JudgedGrant, presented: number, now: Date): Verdict {
  if (presented === generation) return { kind: 'rotate' };
  const isFormer = presented === generation - 1 && presented > 0;
  if (isFormer && refreshedAt && now.getTime() - refreshedAt.getTime() < repeatMs) return { kind: 'repeat' };
  return { kind: 'end', reason: 'refresh_token_reused' };
}

/** 43 to 128 unreserved characters (RFC 7636 4.1). */
const verifierForm = /^[\w.~-]{43,128}$/;

const challengeOf = (verifier = ''): string | undefined =>
  verifierForm.test(verifier) ? hash('sha256', verifier, 'base64url') : undefined;

const refuse = (why: string): Verdict => ({ kind: 'refuse', why });

const nameOf = (kind: CredentialKind): string => kind.replace('_', ' ');
