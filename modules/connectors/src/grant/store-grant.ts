import { statement, column, type AccountWriter } from '@service/database';
import type { MemberPrincipal } from '@service/trpc';
import type { AuthorizationRequest } from '../authorize/sealed-request.ts';
import { connectorErrors } from '../errors.ts';
import type { EndReason } from '../schemas.ts';

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

interface Decision {
  request: AuthorizationRequest;
  member: Pick<MemberPrincipal, 'userId' | 'name'>;
  /** The scopes that the client gets. */
  scopes: readonly string[];
  secretHash: Buffer;
  expiresAt: Date;
  endReason?: EndReason;
}

/** Stores the decision about a request. Throws authorization_request_used when there is one already. */
export async function storeGrant(
  { query, accountId, now }: AccountWriter,
  { request, member, scopes, secretHash, expiresAt, endReason }: Decision,
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
