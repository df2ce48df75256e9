import type { AccountWriter } from '@service/database';
import type { MemberPrincipal } from '@service/trpc';
import type { AuthorizationRequest } from '../authorize/sealed-request.ts';
import { createSecret, hashSecret } from './credential.ts';
import { storeGrant } from './store-grant.ts';

interface Denial {
  request: AuthorizationRequest;
  member: Pick<MemberPrincipal, 'userId' | 'name'>;
}

/**
 * Stores that a member denied a request: a grant that has ended, without scopes and without a code. So the list of clients shows it,
 * and the request cannot be approved afterwards. Throws authorization_request_used.
 */
export const deny = (tx: AccountWriter, denial: Denial): Promise<void> =>
  storeGrant(tx, {
    ...denial,
    scopes: [],
    secretHash: hashSecret(createSecret()),
    expiresAt: tx.now,
    endReason: 'denied',
  });
