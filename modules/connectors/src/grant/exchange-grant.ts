import { allScopes, type Scope } from '@service/catalogue';
import {
  accountWriter,
  databaseTime,
  entityRow,
  statement,
  type AccountWriter,
  type Database,
} from '@service/database';
import type { AppError } from '@service/errors';
import { issueAccessToken } from '@service/keys';
import type { SecretBox } from '@service/secrets';
import { oauthError } from '../errors.ts';
import { writeCredential, type GrantCredential } from './credential.ts';
import { endGrantsOf } from './end-grants.ts';
import { Grant } from './grant.ts';
import { judge, type Presented } from './judge.ts';

/** The answer of the token endpoint (RFC 6749 5.1). */
export interface Tokens {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  refresh_token: string;
  scope: string;
}

export type Exchange = { kind: 'tokens'; tokens: Tokens } | { kind: 'refused'; error: AppError };

interface ExchangeParts {
  database: Pick<Database, 'ofAccount'>;
  secretBox: SecretBox;
}

interface ExchangeRequest extends Presented {
  credential: GrantCredential;
  /** The scopes of the access token, if the client asks for fewer than those of the grant. */
  scopes: readonly string[] | undefined;
}

/** The time after which a refresh token that was not used is refused. A client that is used once a month stays connected. */
const idleDays = 60;

const grantRow = entityRow(Grant);

// Locks the grant, so that of two exchanges the second sees the first, and an end waits for a token that is being made.
const lockGrant = statement({
  name: 'connectors.lock_grant',
  text: 'select * from connectors.grant where account_id = $1 and id = $2 for no key update',
  row: grantRow.columns,
});

const rotate = statement({
  name: 'connectors.rotate_grant',
  text: `
    update connectors.grant
    set generation = generation + 1, refreshed_at = $3, expires_at = $3::timestamptz + make_interval(days => $4)
    where account_id = $1 and id = $2`,
});

/**
 * Exchanges a code or a refresh token in one transaction. A reuse ends the grant, and the transaction is committed: so a refusal is
 * a result and not an exception. Throws when the database cannot be reached.
 */
export async function exchange(
  { database, secretBox }: ExchangeParts,
  request: ExchangeRequest,
): Promise<Exchange> {
  const { accountId, grantId } = request.credential;
  return database.ofAccount(accountId).transaction(async (open) => {
    const tx = accountWriter(open, { accountId, now: databaseTime() });
    const [row] = await tx.query(lockGrant, [accountId, grantId]);
    const grant = row && grantRow.toEntity(row);
    const verdict = judge(grant, request, tx.now);
    if (verdict.kind === 'refuse') return refused(oauthError('invalid_grant', verdict.why));
    if (verdict.kind === 'end') {
      await endGrantsOf(tx, [grantId], verdict.reason);
      return refused(oauthError('invalid_grant', 'It was used before, so the grant has ended.'));
    }
    const scopes = narrow(grant!.scopes as Scope[], request.scopes);
    if (!scopes) return refused(oauthError('invalid_scope', 'scope may only have scopes of the grant.'));
    const isNew = verdict.kind === 'rotate';
    if (isNew) await tx.query(rotate, [accountId, grantId, tx.now, idleDays]);
    const generation = grant!.generation + (isNew ? 1 : 0);
    const refreshToken = writeCredential('refresh_token', { ...request.credential, generation }, secretBox);
    return { kind: 'tokens', tokens: await issueTokens(tx, { grant: grant!, scopes, refreshToken }) };
  });
}

async function issueTokens(
  tx: AccountWriter,
  { grant, scopes, refreshToken }: { grant: Grant; scopes: readonly Scope[]; refreshToken: string },
): Promise<Tokens> {
  const { token, expiresInSeconds } = await issueAccessToken(tx, {
    grantId: grant.id,
    label: grant.clientName,
    scopes,
    createdBy: { kind: 'member', id: grant.memberId, name: grant.memberName },
  });
  return {
    access_token: token,
    token_type: 'Bearer',
    expires_in: expiresInSeconds,
    refresh_token: refreshToken,
    scope: scopes.join(' '),
  };
}

const refused = (error: AppError): Exchange => ({ kind: 'refused', error });

/** The asked scopes in the order of all. Undefined if the grant lacks one (RFC 6749 6). */
function narrow(granted: readonly Scope[], asked: readonly string[] | undefined): Scope[] | undefined {
  if (asked === undefined) return [...granted];
  if (asked.length === 0 || !asked.every((scope) => granted.includes(scope as Scope))) return undefined;
  return allScopes.filter((scope) => asked.includes(scope));
}
