// POST /oauth/revoke (RFC 7009). It ends the whole grant, by any of its tokens: a client that signs out wants no access
// left. Every other text gets the same answer.
import { accountWriter, databaseTime, type AccountWriter, type Database } from '@service/database';
import { findGrantOfToken } from '@service/keys';
import type { SecretBox } from '@service/secrets';
import { readParameters } from '../authorize/parameters.ts';
import { readCredential } from '../grant/credential.ts';
import { revokeForClient, type RevokedBy } from '../grant/end-grants.ts';
import type { TokenParts } from './token.ts';

interface RevokeParts extends Pick<TokenParts, 'secretBox' | 'limits' | 'onChanged'> {
  database: Pick<Database, 'ofAccount' | 'query'>;
}

/** Ends the grant of an access token or a refresh token. Does nothing for another text. Throws invalid_request. */
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
    const tx: AccountWriter = accountWriter(open, { accountId, now: databaseTime() });
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
