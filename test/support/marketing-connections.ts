import { createId, type Database } from '@service/database';
import type { SyncSettings } from '@service/connections';
import type { openParts } from '@service/composition';

type Connections = Awaited<ReturnType<typeof openParts>>['connections'];

interface GivenTool {
  accountId: string;
  provider: string;
  credential: unknown;
  baseUrl: string;
  sync: SyncSettings;
}

/** Writes a connection to a marketing tool as if it had been verified, and notifies all processes. Returns its id. */
export async function insertMarketingConnection(
  { pool }: Pick<Database, 'pool'>,
  { seal }: Pick<Connections, 'seal'>,
  { accountId, provider, credential, baseUrl, sync }: GivenTool,
): Promise<string> {
  const id = createId();
  await pool.query(
    `insert into connections.connection (account_id, id, kind, provider, name, credential_kind, credential_version, sealed_credential,
       credential_last4, settings, is_default, state, since, laters, notifications, checked_at, created_by_kind, updated_by_kind, created_at,
       updated_at, report_secret_version)
     values ($1, $2, 'marketing', $3, $3, 'key', 1, $4, '8a1b', $5, false, 'connected', now(), 0, 0, now() - interval '1 hour', 'operator',
       'operator', now(), now(), 0)`,
    [
      accountId,
      id,
      provider,
      seal(credential, { id, credentialVersion: 1 }),
      JSON.stringify({ baseUrl, sync }),
    ],
  );
  await pool.query(`select pg_notify('connections_marketing', $1::text)`, [accountId]);
  return id;
}
