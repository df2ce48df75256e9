import { createId, type Database } from '@service/database';
import type { MailSender } from '@service/mail-senders';
import type { openParts } from '@service/composition';

type Connections = Awaited<ReturnType<typeof openParts>>['connections'];

interface GivenConnection {
  accountId: string;
  provider: MailSender['id'];
  credential: unknown;
  baseUrl: string | null;
}

/** Writes the default connection of an account as if it had been verified. Its From address is hello@example.com. Returns its id. */
export async function insertMailConnection(
  { pool }: Pick<Database, 'pool'>,
  { seal }: Pick<Connections, 'seal'>,
  { accountId, provider, credential, baseUrl }: GivenConnection,
): Promise<string> {
  const id = createId();
  const sealed = seal(credential, { id, credentialVersion: 1 });
  const settings = { from: { name: 'Acme', address: 'hello@example.com' }, replyTo: null, baseUrl };
  await pool.query(
    `insert into connections.connection (account_id, id, kind, provider, name, credential_kind, credential_version, sealed_credential,
       credential_last4, settings, is_default, state, since, laters, notifications, checked_at, created_by_kind, updated_by_kind, created_at,
       updated_at, report_secret_version)
     values ($1, $2, 'mail', $3, $3, 'key', 1, $4, '8a1b', $5, true, 'connected', now(), 0, 0, now() - interval '1 hour', 'operator',
       'operator', now(), now(), 0)`,
    [accountId, id, provider, sealed, JSON.stringify(settings)],
  );
  return id;
}
