import { createId } from '@service/database';
import type { TestApi } from '../support/api.ts';

export const from = { name: 'Ada', address: 'ada@example.com' };

/** Writes a connection as if it had been verified, and returns its id. Its provider does not exist. */
export async function insertConnection({ api, db }: TestApi, accountId: string): Promise<string> {
  const id = createId();
  const sealed = api.service.connections.seal({ key: 're_not_a_real_key' }, { id, credentialVersion: 1 });
  await db.database.pool.query(
    `insert into connections.connection (account_id, id, kind, provider, name, credential_kind, credential_version, sealed_credential,
       credential_last4, settings, is_default, state, since, laters, notifications, checked_at, created_by_kind, updated_by_kind, created_at,
       updated_at, report_secret_version)
     select $1, $2, 'mail', 'resend', 'Resend', 'key', 1, $3, '_key', $4,
       not exists (select from connections.connection where account_id = $1 and is_default),
       'connected', now(), 0, 0, now() - interval '1 hour', 'operator', 'operator', now(), now(), 0`,
    [accountId, id, sealed, JSON.stringify({ from, replyTo: null, baseUrl: null })],
  );
  return id;
}
