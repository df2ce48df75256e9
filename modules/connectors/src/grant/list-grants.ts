import type { AccountReader } from '@service/database';
import type { z } from 'zod';
import { redirectHostOf } from '../client/redirect-uri.ts';
import type { GrantOutput } from '../schemas.ts';
import { Grant } from './entities.ts';

/** More rows than the limits of active and ended grants allow. */
const rowsMax = 500;

/** The grants of an account, newest first, or those of one member. A grant whose code was never exchanged is left out. */
export async function listGrants(
  { em, accountId, now }: AccountReader,
  memberId: string | undefined,
): Promise<z.input<typeof GrantOutput>[]> {
  const grants = await em.find(
    Grant,
    { accountId, generation: { $gt: 0 }, ...(memberId !== undefined && { memberId }) },
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
    grantedBy: { id: grant.memberId, name: grant.memberName },
    createdAt: grant.createdAt.toISOString(),
    expiresAt: endedAt ? null : grant.expiresAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
    state: isExpired ? 'expired' : (grant.endReason ?? 'active'),
    lastUsedAt: grant.lastUsedAt?.toISOString() ?? null,
    requests: grant.requests,
  };
}
