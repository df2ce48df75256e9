// POST /oauth/token (RFC 6749 3.2). A code or a refresh token is opened before any statement, so a forged one costs no more than a
// decryption.
import type { Database } from '@service/database';
import type { SecretBox } from '@service/secrets';
import type { Addresses } from '../addresses.ts';
import { readParameters, type Parameters } from '../authorize/parameters.ts';
import { requireResource } from '../authorize/read-request.ts';
import { oauthError } from '../errors.ts';
import { readCredential, type CredentialKind, type GrantCredential } from '../grant/credential.ts';
import { exchange, type Tokens } from '../grant/exchange-grant.ts';
import type { Limits } from './oauth-limits.ts';

export interface TokenParts {
  database: Pick<Database, 'ofAccount'>;
  secretBox: SecretBox;
  addresses: Addresses;
  limits: Limits;
  /** Called when a grant may look different in lists. */
  onChanged: (accountId: string) => void;
}

/** The parameter with the credential of each kind of grant (RFC 6749 4.1.3 and 6). */
const credentialOf: Readonly<Record<string, { kind: CredentialKind; name: string }>> = {
  authorization_code: { kind: 'code', name: 'code' },
  refresh_token: { kind: 'refresh_token', name: 'refresh_token' },
};

/**
 * Exchanges a code or a refresh token. Throws the errors of RFC 6749 5.2, invalid_target, and temporarily_unavailable.
 * `sender` is the address of the caller.
 */
export async function issueTokens(parts: TokenParts, form: URLSearchParams, sender: string): Promise<Tokens> {
  const { limits } = parts;
  const parameters = readParameters(form);
  const credential = readGrantCredential(parts, parameters);
  if (!credential) {
    limits.take('invalid', sender);
    throw oauthError('invalid_grant', 'The code or the refresh token is not valid.');
  }
  requireResource(parameters, parts.addresses);
  limits.take('grant', credential.grantId);
  const outcome = await exchange(parts, {
    kind: credential.kind,
    credential,
    clientId: parameters.require('client_id'),
    redirectUri: parameters.find('redirect_uri'),
    codeVerifier: parameters.find('code_verifier'),
    scopes: parameters.find('scope')?.split(' ').filter(Boolean),
  });
  parts.onChanged(credential.accountId);
  if (outcome.kind === 'refused') throw outcome.error;
  return outcome.tokens;
}

/** The credential of the request. Undefined for a text that this server did not write. Throws unsupported_grant_type, invalid_request. */
function readGrantCredential(
  { secretBox }: TokenParts,
  parameters: Parameters,
): (GrantCredential & { kind: CredentialKind }) | undefined {
  const grantType = parameters.require('grant_type');
  if (!Object.hasOwn(credentialOf, grantType)) {
    throw oauthError('unsupported_grant_type', 'grant_type must be authorization_code or refresh_token.');
  }
  const { kind, name } = credentialOf[grantType]!;
  const credential = readCredential(kind, parameters.require(name), secretBox);
  return credential && { ...credential, kind };
}
