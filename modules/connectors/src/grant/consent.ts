// The decision of a member about an authorization request.
import type { Scope } from '@service/catalogue';
import { lockLimit, statement, column, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import type { MemberPrincipal } from '@service/trpc';
import type { AuthorizationRequest } from '../authorize/sealed-request.ts';
import { keepRegisteredClient } from '../client/registered-clients.ts';
import { connectorErrors } from '../errors.ts';
import type { EndReason } from '../schemas.ts';
import { createSecret, hashSecret, writeCredential } from './credential.ts';
import { endEarlierGrants, grantLock } from './end-grants.ts';

/** Grants of an account that have not ended. */
const activeMax = 200;

/** Grants that one member gave to one client, on several computers. The one that was not used for the longest time gives way. */
const ofClientMax = 10;

/** The client exchanges its code at once (RFC 6749 4.1.2 allows 10 minutes at most). */
const codeSeconds = 60;

/** True if a user is a member of the account, read in the transaction. */
export type IsMember = (tx: AccountWriter, userId: string) => Promise<boolean>;

interface Decision {
  request: AuthorizationRequest;
  member: Pick<MemberPrincipal, 'userId' | 'name'>;
}

interface Approval extends Decision {
  scopes: readonly Scope[];
  /** Ends the grants that the member gave to the same client before. */
  endsEarlier: boolean;
}

const countActive = statement({
  name: 'connectors.count_active_grants',
  text: `
    select count(*)::int as active from connectors.grant
    where account_id = $1 and ended_at is null and expires_at > $2`,
  row: { active: column.integer },
});

/**
 * Creates the grant of an approved request. Returns its authorization code. Throws sign_in_required if the member was removed in
 * the meantime, grant_limit_reached, authorization_request_used.
 */
export async function approve(
  tx: AccountWriter,
  { request, scopes, member, endsEarlier }: Approval,
  { secretBox, isMember }: { secretBox: SecretBox; isMember: IsMember },
): Promise<string> {
  const { query, accountId, now } = tx;
  // The removal of a member takes the same lock, so either it ends this grant or this call sees it.
  await lockLimit(tx, grantLock);
  if (!(await isMember(tx, member.userId))) throw commonErrors.sign_in_required();
  await endEarlierGrants(tx, {
    memberId: member.userId,
    clientId: request.client.id,
    kept: endsEarlier ? 0 : ofClientMax - 1,
  });
  const [row] = await query(countActive, [accountId, now]);
  if (row!.active >= activeMax) throw connectorErrors.grant_limit_reached();
  const secret = createSecret();
  const expiresAt = new Date(now.getTime() + codeSeconds * 1000);
  await storeGrant(tx, { request, member, scopes, secretHash: hashSecret(secret), expiresAt });
  await keepRegisteredClient(query, request.client.id);
  return writeCredential('code', { accountId, grantId: request.id, generation: 0, secret }, secretBox);
}

/**
 * Stores that a member denied a request: a grant that has ended, without scopes and without a code. So the list of clients shows it,
 * and the request cannot be approved afterwards. Throws authorization_request_used.
 */
export const deny = (tx: AccountWriter, decision: Decision): Promise<void> =>
  storeGrant(tx, {
    ...decision,
    scopes: [],
    secretHash: hashSecret(createSecret()),
    expiresAt: tx.now,
    endReason: 'denied',
  });

/** Ended grants of an account that the list still shows. */
const endedMax = 100;

const deleteSurplus = statement({
  name: 'connectors.delete_surplus_grants',
  text: `
    delete from connectors.grant where account_id = $1 and id in (
      select id from connectors.grant where account_id = $1 and (ended_at is not null or expires_at <= $2)
      order by id desc offset $3)`,
});

const insertGrant = statement({
  name: 'connectors.insert_grant',
  text: `
    insert into connectors.grant (account_id, id, client_id, client_name, client_host, redirect_uri, scopes, member_id,
      member_name, code_challenge, secret_hash, generation, created_at, expires_at, ended_at, end_reason, requests)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $13, $14, $15, 0)
    on conflict (id) do nothing
    returning id`,
  row: { id: column.id },
});

interface NewGrant extends Decision {
  /** The scopes that the client gets. */
  scopes: readonly string[];
  secretHash: Buffer;
  expiresAt: Date;
  endReason?: EndReason;
}

/** Stores the decision about a request. Throws authorization_request_used when there is one already. */
async function storeGrant(
  { query, accountId, now }: AccountWriter,
  { request, member, scopes, secretHash, expiresAt, endReason }: NewGrant,
): Promise<void> {
  await query(deleteSurplus, [accountId, now, endedMax]);
  const { id, client, redirectUri, codeChallenge } = request;
  const inserted = await query(insertGrant, [
    accountId,
    id,
    client.id,
    client.name,
    client.host,
    redirectUri,
    scopes,
    member.userId,
    member.name,
    codeChallenge,
    secretHash,
    now,
    expiresAt,
    endReason === undefined ? null : now,
    endReason ?? null,
  ]);
  if (inserted.length === 0) throw connectorErrors.authorization_request_used();
}
