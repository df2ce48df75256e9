import { createAccounts } from '@service/accounts';
import {
  deriveSecret,
  openConnections,
  resumeAccount,
  serviceEntities,
  suspendAccount,
  type AdminParts,
  type OpenedConnections,
} from '@service/composition';
import { publicBaseUrl } from '@service/config';
import { databaseTime, openDatabase } from '@service/database';
import { readId } from '@service/module';
import { createSecretBox } from '@service/secrets';
import { randomBytes } from 'node:crypto';
import { readLocalConfig } from './config.ts';
import { readOrCreateSecret } from './data-dir.ts';
import { readRunning, type Running } from './running.ts';

/** The parts of the service that an operator's command uses. */
export interface Admin extends AdminParts {
  close(): Promise<void>;
}

/** Opens DATABASE_URL, or the database of the local runner on DATA_DIR. Throws an error of one line when there is neither. */
export async function openAdmin(variables: Variables): Promise<Admin> {
  const dataDir = variables.DATA_DIR || '.data';
  const running = await readRunning(dataDir);
  const databaseUrl = variables.DATABASE_URL || running?.databaseUrl;
  if (!databaseUrl) throw new Error('Nothing is running here. Start it with npm start, or set DATABASE_URL.');
  const database = await openDatabase({
    url: databaseUrl,
    sessionUrl: variables.DATABASE_SESSION_URL || undefined,
    entities: serviceEntities,
    name: 'admin',
    connections: { poolSize: 2 },
  });
  // The value does not matter, because no sign-in session is created or read here.
  const secret = randomBytes(32).toString('base64url');
  const accounts = await createAccounts({
    databaseUrl,
    isPooled: database.isPooled,
    baseUrl: 'http://localhost',
    secret,
    poolSize: 2,
  });
  const keysOf = () => readKeys(variables, running && dataDir);
  const secretBoxOf = async () => {
    const [key, ...former] = await keysOf();
    return createSecretBox(key, former);
  };
  let opened: OpenedConnections | undefined;
  return {
    accounts,
    database,
    suspendAccount,
    resumeAccount,
    baseUrl: baseUrlOf(variables, running),
    openSecretBox: secretBoxOf,
    openSessionSecrets: async () => (await keysOf()).map((key) => deriveSecret(key, 'sessions')),
    async openConnections() {
      opened ??= openConnections({
        database,
        secretBox: await secretBoxOf(),
        ...outboundRules(variables, running),
      });
      return opened.connections;
    },
    progress: (line) => console.error(line),
    problem(line) {
      console.error(line);
      process.exitCode = 1;
    },
    async requireAccount(values) {
      const accountId = readId(values, 'account');
      if (await accounts.accountExists(accountId)) return accountId;
      throw new Error(`There is no account ${accountId}.`);
    },
    write: (accountId, work) => database.transaction((tx) => work({ ...tx, accountId, now: databaseTime() })),
    async close() {
      await Promise.all([opened?.close(), accounts.close(), database.close()]);
    },
  };
}

type Variables = Record<string, string | undefined>;

const baseUrlOf = ({ BASE_URL, PORT }: Variables, running: Running | undefined): string =>
  publicBaseUrl({
    BASE_URL: BASE_URL?.replace(/\/+$/, '') || running?.baseUrl,
    PORT: Number(PORT || 3000),
  });

/** The outbound rules of the service: of the variables, or of the running local service, which may reach this machine. */
function outboundRules(variables: Variables, running: Running | undefined) {
  const local = running && !variables.DATABASE_URL ? readLocalConfig(variables) : undefined;
  const cidrs = local?.webhookAllowedCidrs ?? variables.WEBHOOK_ALLOWED_CIDRS ?? '';
  const allowHttp = local?.webhookAllowHttp ?? variables.WEBHOOK_ALLOW_HTTP;
  return {
    allowedCidrs: cidrs
      .split(',')
      .map((text) => text.trim())
      .filter(Boolean),
    allowHttp: allowHttp === 'true' || allowHttp === '1',
  };
}

/** The keys of the running service, the current one first: from the variables, else from the data folder of the local runner. */
async function readKeys(
  { ENCRYPTION_KEY, ENCRYPTION_KEYS_OLD = '' }: Variables,
  dataDir: string | undefined,
): Promise<[string, ...string[]]> {
  const key = ENCRYPTION_KEY || (dataDir && (await readOrCreateSecret(dataDir, 'encryption-key')));
  if (!key) throw new Error('Set ENCRYPTION_KEY to the key of the service: secrets are sealed with it.');
  const formerKeys = ENCRYPTION_KEYS_OLD.split(',')
    .map((text) => text.trim())
    .filter(Boolean);
  return [key, ...formerKeys];
}
