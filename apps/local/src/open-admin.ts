import { createAccounts, type Accounts } from '@service/accounts';
import { serviceEntities } from '@service/composition';
import { databaseTime, openDatabase, type AccountWriter, type Database } from '@service/database';
import { randomBytes } from 'node:crypto';
import { readRunning } from './running.ts';

/** What an operator's command works with. */
export interface Admin {
  accounts: Accounts;
  database: Database;
  /** One transaction in the name of an account. */
  write<Result>(accountId: string, work: (tx: AccountWriter) => Promise<Result>): Promise<Result>;
  close(): Promise<void>;
}

/** Opens DATABASE_URL, or the database of the local runner on DATA_DIR. Throws one line when there is neither. */
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
  // No session is made or read here, so what would sign one does not matter.
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
    write: (accountId, work) => database.transaction((tx) => work({ ...tx, accountId, now: databaseTime() })),
    async close() {
      await Promise.all([accounts.close(), database.close()]);
    },
  };
}
