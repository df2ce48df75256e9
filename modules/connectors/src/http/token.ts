// POST /oauth/token (RFC 6749 3.2) and POST /oauth/revoke (RFC 7009). A code or a refresh token is opened before any statement, so a
// forged one costs no more than a decryption.
import { accountWriter, databaseTime, type Database } from '@service/database';
import { findGrantOfToken } from '@service/keys';
import type { SecretBox } from '@service/secrets';
import type { Addresses } from '../addresses.ts';
import { readParameters, requireResource, type Parameters } from '../authorize/parameters.ts';
import { oauthError } from '../errors.ts';
import { readCredential, type CredentialKind, type GrantCredential } from '../grant/credential.ts';
import { revokeForClient, type RevokedBy } from '../grant/end-grants.ts';
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

interface RevokeParts extends Pick<TokenParts, 'secretBox' | 'limits' | 'onChanged'> {
  database: Pick<Database, 'ofAccount' | 'query'>;
}

/**
 * Ends the whole grant, by any of its tokens: a client that signs out wants no access left. Does nothing for another text, which gets
 * the same answer. Throws invalid_request.
 */
export async function revokeToken(parts: RevokeParts, form: URLSearchParams, sender: string): Promise<void> {
  const { database, limits, onChanged } = parts;
  const parameters = readParameters(form);
  const token = parameters.require('token');
  const clientId = parameters.find('client_id');
  limits.take('invalid', sender);
  const found = await findGrant(parts, token);
  if (!found) return;
  limits.giveBack('invalid', sender);
  limits.take('grant', found.grantId);
  const { accountId } = found;
  const hasEnded = await database.ofAccount(accountId).transaction((open) => {
    const tx = accountWriter(open, { accountId, now: databaseTime() });
    return revokeForClient(tx, { ...found, clientId });
  });
  if (hasEnded) onChanged(accountId);
}

/** The grant that a token names. The secret of a refresh token is checked with the row of the grant. */
async function findGrant(
  { database, secretBox }: { database: Pick<Database, 'query'>; secretBox: SecretBox },
  token: string,
): Promise<(RevokedBy & { accountId: string }) | undefined> {
  const refreshToken = readCredential('refresh_token', token, secretBox);
  if (refreshToken) return { ...refreshToken };
  const found = await findGrantOfToken(database.query, token);
  return found && { ...found, secret: undefined };
}
