import type { Scope } from '@service/catalogue';
import { lockLimit, statement, column, type AccountWriter } from '@service/database';
import { commonErrors } from '@service/errors';
import type { SecretBox } from '@service/secrets';
import type { MemberPrincipal } from '@service/trpc';
import type { AuthorizationRequest } from '../authorize/sealed-request.ts';
import { keepRegisteredClient } from '../client/registered-clients.ts';
import { connectorErrors } from '../errors.ts';
import { createSecret, hashSecret, writeCredential } from './credential.ts';
import { endEarlierGrants, grantLock } from './end-grants.ts';
import { storeGrant } from './store-grant.ts';

/** Grants of an account that have not ended. */
const activeMax = 200;

/** Grants that one member gave to one client, on several computers. The one that was not used for the longest time gives way. */
const ofClientMax = 10;

/** The client exchanges its code at once (RFC 6749 4.1.2 allows 10 minutes at most). */
const codeSeconds = 60;

/** True if a user is a member of the account, read in the transaction. */
export type IsMember = (tx: AccountWriter, userId: string) => Promise<boolean>;

interface Approval {
  request: AuthorizationRequest;
  scopes: readonly Scope[];
  member: Pick<MemberPrincipal, 'userId' | 'name'>;
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
