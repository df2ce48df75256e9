import { createAccounts } from '@service/accounts';
import { resumeAccount, serviceEntities, suspendAccount, type AdminParts } from '@service/composition';
import { databaseTime, openDatabase } from '@service/database';
import { readId } from '@service/module';
import { randomBytes } from 'node:crypto';
import { readRunning } from './running.ts';

/** The parts of the service that an operator's command uses. */
export interface Admin extends AdminParts {
  close(): Promise<void>;
}

/** Opens DATABASE_URL, or the database of the local runner on DATA_DIR. Throws an error of one line when there is neither. */
export async function openAdmin(variables: Record<string, string | undefined>): Promise<Admin> {
  const databaseUrl =
    variables.DATABASE_URL || (await readRunning(variables.DATA_DIR || '.data'))?.databaseUrl;
  if (!databaseUrl) throw new Error('Nothing is running here. Start it with npm start, or set DATABASE_URL.');
  const database = await openDatabase({
    url: databaseUrl,
    entities: serviceEntities,
    name: 'admin',
    connections: { poolSize: 2 },
  });
  // The value does not matter, because no sign-in session is created or read here.
  const secret = randomBytes(32).toString('base64url');
  const accounts = await createAccounts({
    databaseUrl,
    baseUrl: 'http://localhost',
    secret,
    poolSize: 2,
  });
  return {
    accounts,
    database,
    suspendAccount,
    resumeAccount,
    async requireAccount(values) {
      const accountId = readId(values, 'account');
      if (await accounts.accountExists(accountId)) return accountId;
      throw new Error(`There is no account ${accountId}.`);
    },
    write: (accountId, work) => database.transaction((tx) => work({ ...tx, accountId, now: databaseTime() })),
    async close() {
      await Promise.all([accounts.close(), database.close()]);
    },
  };
}
