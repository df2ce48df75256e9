import type { Scope } from '@service/catalogue';
import { lockLimit, statement, column, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import type { MemberPrincipal } from '@service/trpc';
import type { AuthorizationRequest } from '../authorize/sealed-request.ts';
import { keepRegisteredClient } from '../client/registered-clients.ts';
import { connectorErrors } from '../errors.ts';
import { createSecret, hashSecret, writeCredential } from './credential.ts';

/** Grants of an account that have not ended. */
const activeMax = 200;

/** Ended grants of an account that the list still shows. */
const endedMax = 100;

/** The client exchanges its code at once (RFC 6749 4.1.2 allows 10 minutes at most). */
const codeSeconds = 60;

/** The name of the lock of everything that adds grants to an account or ends those of a member. */
export const grantLock = 'connectors.grant';

/** True if a user is a member of the account, read in the transaction. */
export type IsMember = (tx: AccountWriter, userId: string) => Promise<boolean>;

interface Approval {
  request: AuthorizationRequest;
  scopes: readonly Scope[];
  member: Pick<MemberPrincipal, 'userId' | 'name'>;
}

const countActive = statement({
  name: 'connectors.count_active_grants',
  text: `
    select count(*)::int as active from connectors.grant
    where account_id = $1 and ended_at is null and expires_at > $2`,
  row: { active: column.integer },
});

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
      member_name, code_challenge, secret_hash, generation, created_at, expires_at, requests)
    values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, 0, $12, $12::timestamptz + make_interval(secs => $13), 0)
    on conflict (id) do nothing
    returning id`,
  row: { id: column.id },
});

/**
 * Creates the grant of an approved request. Returns its authorization code. Throws sign_in_required if the member was removed in
 * the meantime, grant_limit_reached, authorization_request_used.
 */
export async function approve(
  tx: AccountWriter,
  { request, scopes, member }: Approval,
  { secretBox, isMember }: { secretBox: SecretBox; isMember: IsMember },
): Promise<string> {
  const { query, accountId, now } = tx;
  // The removal of a member takes the same lock, so either it ends this grant or this call sees it.
  await lockLimit(tx, grantLock);
  if (!(await isMember(tx, member.userId))) throw commonErrors.sign_in_required();
  const [row] = await query(countActive, [accountId, now]);
  if (row!.active >= activeMax) throw connectorErrors.grant_limit_reached();
  await query(deleteSurplus, [accountId, now, endedMax]);
  const { id, client, redirectUri, codeChallenge } = request;
  const secret = createSecret();
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
    hashSecret(secret),
    now,
    codeSeconds,
  ]);
  if (inserted.length === 0) throw connectorErrors.authorization_request_used();
  await keepRegisteredClient(query, client.id);
  return writeCredential('code', { accountId, grantId: id, generation: 0, secret }, secretBox);
}
