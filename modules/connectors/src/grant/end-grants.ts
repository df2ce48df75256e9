import {
  column,
  createOldRowsDeleter,
  lockLimit,
  statement,
  type AccountWriter,
  type Query,
} from '@service/database';
import { endAccessTokens, endAllAccessTokens } from '@service/keys';
import { connectorErrors } from '../errors.ts';
import type { EndReason } from '../schemas.ts';
import { matchesSecret } from './credential.ts';

/** The name of the lock of everything that adds grants to an account or ends those of a member. */
export const grantLock = 'connectors.grant';

const endGrants = statement({
  name: 'connectors.end_grants',
  text: `
    update connectors.grant set ended_at = $3, expires_at = $3, end_reason = $4
    where account_id = $1 and id = any($2::uuid[]) and ended_at is null and expires_at > $3
    returning id`,
  row: { id: column.id },
});

// The update alone would skip a grant that has just expired without waiting for the exchange that prolongs it.
const lockGrants = statement({
  name: 'connectors.lock_grants_to_end',
  text: `
    select from connectors.grant where account_id = $1 and id = any($2::uuid[])
    order by id for no key update`,
});

/**
 * Ends grants that have not ended. From the commit on their tokens are refused by every process. A refresh that is under way has
 * locked its grant, so its new token is deleted too. Returns the ids of the grants that ended.
 */
export async function endGrantsOf(
  tx: AccountWriter,
  grantIds: readonly string[],
  reason: EndReason,
): Promise<string[]> {
  await tx.query(lockGrants, [tx.accountId, grantIds]);
  const ended = await tx.query(endGrants, [tx.accountId, grantIds, tx.now, reason]);
  for (const { id } of ended) await endAccessTokens(tx, id);
  return ended.map(({ id }) => id);
}

/** A client proves its right with a refresh token, whose secret is checked here, or with an access token, which was found. */
export interface RevokedBy {
  grantId: string;
  secret: Buffer | undefined;
}

const selectClient = statement({
  name: 'connectors.select_client_of_grant',
  text: 'select client_id, secret_hash from connectors.grant where account_id = $1 and id = $2',
  row: { client_id: column.text, secret_hash: column.bytes },
});

/** Ends a grant for its client. Returns false, and changes nothing, if the token is not that of the client. */
export async function revokeForClient(
  tx: AccountWriter,
  { grantId, secret, clientId }: RevokedBy & { clientId: string | undefined },
): Promise<boolean> {
  const [grant] = await tx.query(selectClient, [tx.accountId, grantId]);
  if (!grant || (secret && !matchesSecret(secret, grant.secret_hash))) return false;
  if (clientId !== undefined && clientId !== grant.client_id) return false;
  return (await endGrantsOf(tx, [grantId], 'revoked')).length > 0;
}

const findMember = statement({
  name: 'connectors.find_member_of_grant',
  text: 'select member_id from connectors.grant where account_id = $1 and id = $2',
  row: { member_id: column.id },
});

/** Ends a grant. `memberId` names the only member who may have given it; owners leave it out. Throws grant_not_found. */
export async function revokeGrant(
  tx: AccountWriter,
  { id, memberId }: { id: string; memberId: string | undefined },
): Promise<void> {
  const [grant] = await tx.query(findMember, [tx.accountId, id]);
  if (!grant || (memberId !== undefined && grant.member_id !== memberId))
    throw connectorErrors.grant_not_found();
  await endGrantsOf(tx, [id], 'revoked');
}

const findAccount = statement({
  text: 'select account_id from connectors.grant where id = $1',
  row: { account_id: column.id },
  allAccounts: 'An operator names a grant without its account.',
});

/** The account of a grant, or undefined. For operators. */
export async function findGrantAccount(query: Query, id: string): Promise<string | undefined> {
  return (await query(findAccount, [id]))[0]?.account_id;
}

// Also grants that have just expired: an exchange that began before may prolong them.
const findOfMember = statement({
  name: 'connectors.find_grants_of_member',
  text: `
    select id from connectors.grant
    where account_id = $1 and member_id = $2 and ended_at is null
    order by id`,
  row: { id: column.id },
});

/** Ends all grants of a member, in the transaction that removes them from the account. */
export async function endGrantsOfMember(tx: AccountWriter, memberId: string): Promise<void> {
  await lockLimit(tx, grantLock);
  const rows = await tx.query(findOfMember, [tx.accountId, memberId]);
  await endGrantsOf(
    tx,
    rows.map(({ id }) => id),
    'member_removed',
  );
}

const findEarlier = statement({
  name: 'connectors.find_earlier_grants',
  text: `
    select id from connectors.grant
    where account_id = $1 and member_id = $2 and client_id = $3 and ended_at is null and expires_at > $4
    order by coalesce(last_used_at, created_at) desc, id desc offset $5`,
  row: { id: column.id },
});

/** Ends the grants that a member gave to a client, except the `kept` ones that were used last. */
export async function endEarlierGrants(
  tx: AccountWriter,
  { memberId, clientId, kept }: { memberId: string; clientId: string; kept: number },
): Promise<void> {
  const rows = await tx.query(findEarlier, [tx.accountId, memberId, clientId, tx.now, kept]);
  await endGrantsOf(
    tx,
    rows.map(({ id }) => id),
    'replaced',
  );
}

const endOfEveryone = statement({
  text: `
    with ended as (
      update connectors.grant set ended_at = now(), expires_at = now(), end_reason = 'revoked'
      where ended_at is null and expires_at > now()
      returning 1
    )
    select count(*)::int as count from ended`,
  row: { count: column.integer },
  allAccounts: 'After a restore a grant may have been ended already, in any account.',
});

/** Ends the grants of all accounts with their access tokens. Returns the number of grants. */
export async function endAllGrants(query: Query): Promise<number> {
  const [row] = await query(endOfEveryone, []);
  await endAllAccessTokens(query);
  return row!.count;
}

/** Days for which the list shows a grant after its end. */
const keptDays = 30;

const deleteOld = createOldRowsDeleter({ table: 'connectors.grant', time: 'expires_at' });

/** Deletes grants that have expired long ago. Returns their number. */
export const deleteExpiredGrants = (query: Query, now: Date): Promise<number> =>
  deleteOld(query, { before: new Date(now.getTime() - keptDays * 24 * 60 * 60 * 1000) });
