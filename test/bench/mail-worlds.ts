import { openParts } from '@service/composition';
import { createLog } from '@service/log';
import { insertMailConnection } from '../support/mail-connections.ts';
import type { BenchRun } from './bench.ts';
import { createBenchWorld, type BenchWorld } from './bench-world.ts';

type GivenConnection = Omit<Parameters<typeof insertMailConnection>[2], 'accountId'>;

interface MailWorldsOptions extends Pick<BenchRun, 'url' | 'database'> {
  encryptionKey: string;
  accounts: number;
  /** The connection of the account at this place. */
  connectionOf: (index: number, accountId: string) => GivenConnection;
}

/** Accounts with a webinar and a mail connection. */
export async function createMailWorlds({
  url,
  database,
  encryptionKey,
  accounts,
  connectionOf,
}: MailWorldsOptions): Promise<BenchWorld[]> {
  const parts = await openParts({
    databaseUrl: url,
    name: 'bench',
    encryptionKey,
    encryptionKeysOld: [],
    baseUrl: 'http://localhost',
    retryScheduleSeconds: [0],
    webhookAllowedCidrs: [],
    webhookAllowHttp: true,
    log: createLog('bench', { level: 'warn' }),
  });
  try {
    const worlds: BenchWorld[] = [];
    for (let index = 0; index < accounts; index += 1) {
      const world = await createBenchWorld(database, 1);
      const { accountId } = world;
      await insertMailConnection(database, parts.connections, {
        accountId,
        ...connectionOf(index, accountId),
      });
      worlds.push(world);
    }
    return worlds;
  } finally {
    await parts.close();
  }
}
