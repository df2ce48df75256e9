import { column, nullable, statement, type AccountReader } from '@service/database';
import type { z } from 'zod';
import { redirectHostOf } from '../client/redirect-uri.ts';
import type { AuthorizationRequestOutput, GrantOutput } from '../schemas.ts';
import { Grant } from './grant.ts';

/** More rows than the limits of active and ended grants allow. */
const rowsMax = 500;

/** The grants of an account, newest first, or those of one member. */
export async function listGrants(
  { em, accountId, now }: AccountReader,
  memberId: string | undefined,
): Promise<z.input<typeof GrantOutput>[]> {
  const grants = await em.find(
    Grant,
    { accountId, ...(memberId !== undefined && { memberId }) },
    { orderBy: { id: 'desc' }, limit: rowsMax },
  );
  return grants.map((grant) => grantToOutput(grant, now));
}

function grantToOutput(grant: Grant, now: Date): z.input<typeof GrantOutput> {
  const isExpired = !grant.endedAt && grant.expiresAt <= now;
  const endedAt = grant.endedAt ?? (isExpired ? grant.expiresAt : null);
  return {
    id: grant.id,
    clientName: grant.clientName,
    clientHost: grant.clientHost ?? null,
    redirectHost: redirectHostOf(grant.redirectUri),
    scopes: grant.scopes as z.input<typeof GrantOutput>['scopes'],
    member: { id: grant.memberId, name: grant.memberName },
    createdAt: grant.createdAt.toISOString(),
    expiresAt: endedAt ? null : grant.expiresAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    state: stateOf(grant, isExpired),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
    requests: grant.requests,
  };
}

function stateOf({ endReason, generation }: Grant, isExpired: boolean): z.input<typeof GrantOutput>['state'] {
  if (endReason) return endReason;
  if (generation === 0) return 'not_connected';
  return isExpired ? 'expired' : 'active';
}

const summarizeEarlier = statement({
  name: 'connectors.summarize_earlier_grants',
  text: `
    select count(*)::int as connections, max(last_used_at) as last_used_at from connectors.grant
    where account_id = $1 and member_id = $2 and client_id = $3 and ended_at is null and expires_at > $4`,
  row: { connections: column.integer, last_used_at: nullable(column.time) },
});

/** The access that a member gave to a client before and that has not ended. */
export async function findEarlierAccess(
  { query, accountId, now }: AccountReader,
  { memberId, clientId }: { memberId: string; clientId: string },
): Promise<z.input<typeof AuthorizationRequestOutput>['earlier']> {
  const [row] = await query(summarizeEarlier, [accountId, memberId, clientId, now]);
  return { connections: row!.connections, lastUsedAt: row!.last_used_at?.toISOString() ?? null };
}
