// Authentication of a request: one prepared statement. Nothing about a key is cached, so a revoked one is refused at once.
import type { KeyPrincipal, Scope, Surface } from '@service/trpc';
import type { Database } from '@service/database';
import { hashKey, keyOfHeader } from './key-text.ts';

const findKey = {
  name: 'keys.find_key',
  text: 'select account_id, id, label, scopes, surfaces from keys.api_key where hash = $1',
};

/** What every caller without a usable key looks up, so that a malformed key costs what an unknown one costs. */
const nobodysKey = 'svc_live_nobody';

export type KeyCheck = (request: {
  authorization: string | undefined;
  surface: Surface;
  /** Undefined where any valid key will do. */
  scope: Scope | undefined;
}) => Promise<KeyPrincipal | null>;

/**
 * Says whose key a request bears. Null for each of: no header, malformed, unknown, revoked, wrong surface, missing
 * scope. The caller must not tell them apart, and cannot.
 */
export function createKeyCheck(pool: Database['pool']): KeyCheck {
  return async ({ authorization, surface, scope }) => {
    const digest = hashKey(keyOfHeader(authorization) ?? nobodysKey);
    const found = await pool.query({ ...findKey, values: [digest] });
    const row = found.rows[0];
    if (!row || !row.surfaces.includes(surface)) return null;
    if (scope !== undefined && !row.scopes.includes(scope)) return null;
    return {
      kind: 'key',
      accountId: row.account_id,
      keyId: row.id,
      label: row.label,
      scopes: new Set(row.scopes),
      surface,
    };
  };
}
