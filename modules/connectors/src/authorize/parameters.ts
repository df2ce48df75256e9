// The rules for the parameters of an authorization request, after its client and its redirect URI were checked.
import { allScopes, type Scope } from '@service/catalogue';
import { isResource, type Addresses } from '../addresses.ts';
import { oauthError } from '../errors.ts';

/** Parameters of a query or of a form. An empty one counts as missing (RFC 6749 3.1). */
export interface Parameters {
  /** Throws invalid_request when the parameter is repeated. */
  find(name: string): string | undefined;
  /** Throws invalid_request when the parameter is missing or repeated. */
  require(name: string): string;
  all(name: string): string[];
}

export function readParameters(params: URLSearchParams): Parameters {
  const all = (name: string): string[] => params.getAll(name).filter((value) => value !== '');
  const find = (name: string): string | undefined => {
    const values = all(name);
    if (values.length > 1) throw oauthError('invalid_request', `${name} is repeated.`);
    return values[0];
  };
  return {
    all,
    find,
    require(name) {
      const value = find(name);
      if (value === undefined) throw oauthError('invalid_request', `${name} is missing.`);
      return value;
    },
  };
}

/** The checked part of a request that its client chose. */
export interface AskedAccess {
  codeChallenge: string;
  scopes: Scope[];
}

/** Longest `state`, in characters. It is part of the sealed request in the address of the consent page. */
const stateMax = 1024;

/** SHA-256 in base64url (RFC 7636 4.2). */
const challengeForm = /^[A-Za-z0-9_-]{43}$/;

/** Scopes of OpenID Connect that clients ask for by habit. Refresh tokens are given without one. */
const ignoredScopes = new Set(['offline_access', 'openid', 'profile', 'email']);

/** Throws invalid_request when `state` is repeated or too long. Its value then cannot be part of the answer. */
export function readState(parameters: Parameters): string | undefined {
  const state = parameters.find('state');
  if (state !== undefined && state.length > stateMax)
    throw oauthError('invalid_request', `state has at most ${stateMax} characters.`);
  return state;
}

/** Throws unsupported_response_type, invalid_request, invalid_target, invalid_scope. */
export function readAskedAccess(parameters: Parameters, addresses: Addresses): AskedAccess {
  if (parameters.require('response_type') !== 'code')
    throw oauthError('unsupported_response_type', 'response_type must be code.');
  if ((parameters.find('response_mode') ?? 'query') !== 'query')
    throw oauthError('invalid_request', 'response_mode must be query.');
  const codeChallenge = parameters.require('code_challenge');
  // A missing method means `plain` (RFC 7636 4.3), which protects nothing once the request was seen.
  if (parameters.find('code_challenge_method') !== 'S256')
    throw oauthError('invalid_request', 'code_challenge_method must be S256.');
  if (!challengeForm.test(codeChallenge))
    throw oauthError('invalid_request', 'code_challenge must be a SHA-256 digest in base64url.');
  requireResource(parameters, addresses);
  return { codeChallenge, scopes: readScopes(parameters.find('scope')) };
}

/**
 * Throws invalid_target for another resource. Clients of protocol version 2025-03-26 send none, and this server issues tokens for
 * one resource only.
 */
export function requireResource(parameters: Parameters, addresses: Addresses): void {
  if (!parameters.all('resource').every((resource) => isResource(resource, addresses)))
    throw oauthError('invalid_target', `resource must be ${addresses.resource}.`);
}

/** All scopes when the client names none: the member chooses on the consent page. Throws invalid_scope. */
function readScopes(text: string | undefined): Scope[] {
  const asked = (text ?? '').split(' ').filter((scope) => scope !== '' && !ignoredScopes.has(scope));
  if (asked.length === 0) return [...allScopes];
  const known = allScopes.filter((scope) => asked.includes(scope));
  if (known.length < new Set(asked).size)
    throw oauthError('invalid_scope', `scope may have ${allScopes.join(', ')}.`);
  return known;
}
