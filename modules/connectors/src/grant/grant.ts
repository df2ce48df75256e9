import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import { createUsageCounter } from '@service/keys';
import { endReasons } from '../schemas.ts';

/**
 * The access that a member gave to a client, or denied. The row contains all that is needed to check its authorization code and its
 * refresh tokens: a digest of their secret and the number of the newest one. Access tokens are in the module keys.
 */
export const Grant = defineEntity({
  name: 'Grant',
  tableName: 'grant',
  schema: 'connectors',
  indexes: [{ name: 'grant_expires_at_index', properties: ['expiresAt'] }],
  properties: {
    accountId: p.uuid().primary(),
    // Unique without account_id: it is the id of the authorization request, which is answered once, in one account.
    id: p.uuid().primary().unique(),
    clientId: p.text(),
    clientName: p.text(),
    clientHost: p.text().nullable(),
    redirectUri: p.text(),
    scopes: p.array(),
    memberId: p.uuid(),
    /** Kept after the member has left. */
    memberName: p.text(),
    /** PKCE, S256. */
    codeChallenge: p.text(),
    secretHash: p.blob(),
    /** 0 until the code is exchanged, then the number of the newest refresh token. */
    generation: p.integer(),
    createdAt: p.datetime(3),
    /** Of the newest refresh token. */
    refreshedAt: p.datetime(3).nullable(),
    /** The end of the code, then of the newest refresh token. */
    expiresAt: p.datetime(3),
    endedAt: p.datetime(3).nullable(),
    endReason: p.enum(endReasons).nullable(),
    lastUsedAt: p.datetime(3).nullable(),
    requests: p.bigint('number'),
  },
});

export type Grant = InferEntity<typeof Grant>;

/** Counts the requests of grants. */
export const countGrantRequests = createUsageCounter({
  name: 'connectors.add_usage',
  table: 'connectors.grant',
});
