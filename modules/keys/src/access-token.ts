// Access tokens of grants. A connector calls with one for an hour and then exchanges its refresh token for another one. The module
// `connectors` owns the grants.
import { defineEntity, p } from '@mikro-orm/postgresql';
import type { Scope } from '@service/catalogue';
import {
  column,
  createId,
  createOldRowsDeleter,
  statement,
  type AccountWriter,
  type Query,
} from '@service/database';
import type { KeyCreator } from '@service/trpc';
import { accessTokenText, hashCredential } from './credential-text.ts';
import { creatorToColumns } from './entities.ts';

/** The life of a token. */
const expiresInSeconds = 3600;

/** Tokens of one grant. A client that refreshes again and again loses its oldest tokens. */
const tokensMax = 20;

/** Contains a digest of the token, never the token. The label and the scopes are those of the grant. */
export const AccessToken = defineEntity({
  name: 'AccessToken',
  tableName: 'access_token',
  schema: 'keys',
  indexes: [
    { name: 'access_token_grant_index', properties: ['accountId', 'grantId', 'id'] },
    { name: 'access_token_expires_at_index', properties: ['expiresAt'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    grantId: p.uuid(),
    label: p.text(),
    // Unique without account_id: a request carries only the token.
    hash: p.blob().unique(),
    scopes: p.array(),
    createdByKind: p.text().$type<KeyCreator['kind']>(),
    createdById: p.uuid().nullable(),
    createdByName: p.text().nullable(),
    /** By the database's clock. */
    expiresAt: p.datetime(3),
  },
});

interface NewAccessToken {
  grantId: string;
  /** The name of the client. Activity shows it. */
  label: string;
  scopes: readonly Scope[];
  createdBy: KeyCreator;
}

const insert = statement({
  text: `
    insert into keys.access_token
      (account_id, id, grant_id, label, hash, scopes, created_by_kind, created_by_id, created_by_name, expires_at)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, now() + make_interval(secs => $10))`,
});

const deleteSurplus = statement({
  text: `
    delete from keys.access_token where account_id = $1 and id in (
      select id from keys.access_token where account_id = $1 and grant_id = $2 order by id desc offset $3)`,
});

/**
 * Creates an access token. Its text is returned here and stored nowhere. The caller has locked the grant, so that it does not end
 * in the meantime.
 */
export async function issueAccessToken(
  { query, accountId }: AccountWriter,
  { grantId, label, scopes, createdBy }: NewAccessToken,
): Promise<{ token: string; expiresInSeconds: number }> {
  const token = accessTokenText.create();
  const { createdByKind, createdById, createdByName } = creatorToColumns(createdBy);
  await query(insert, [
    accountId,
    createId(),
    grantId,
    label,
    hashCredential(token),
    scopes,
    createdByKind,
    createdById,
    createdByName,
    expiresInSeconds,
  ]);
  await query(deleteSurplus, [accountId, grantId, tokensMax]);
  return { token, expiresInSeconds };
}

/** Ends all tokens of a grant. The next request with one, on any process, is answered 401. Idempotent. */
export async function endAccessTokens({ query, accountId }: AccountWriter, grantId: string): Promise<void> {
  await query(endAll, [accountId, grantId]);
}

const endAll = statement({ text: 'delete from keys.access_token where account_id = $1 and grant_id = $2' });

const findGrant = statement({
  text: 'select account_id, grant_id from keys.access_token where hash = $1 and expires_at > now()',
  row: { account_id: column.id, grant_id: column.id },
  allAccounts: 'A revocation carries only its token, which names the account.',
});

/** The grant of a valid access token, or undefined. A text of another form costs no statement. */
export async function findGrantOfToken(
  query: Query,
  token: string,
): Promise<{ accountId: string; grantId: string } | undefined> {
  if (accessTokenText.ofHeader(`Bearer ${token}`) === undefined) return undefined;
  const [row] = await query(findGrant, [hashCredential(token)]);
  return row && { accountId: row.account_id, grantId: row.grant_id };
}

const endOfEveryone = statement({
  text: 'delete from keys.access_token',
  allAccounts: 'After a restore a token may have been ended already, in any account.',
});

/** Ends the tokens of all accounts. */
export const endAllAccessTokens = (query: Query): Promise<unknown> => query(endOfEveryone, []);

const deleteOld = createOldRowsDeleter({ table: 'keys.access_token', time: 'expires_at' });

/** Deletes the expired tokens of all accounts. Returns their number. */
export const deleteExpiredTokens = (query: Query, now: Date): Promise<number> =>
  deleteOld(query, { before: now });
