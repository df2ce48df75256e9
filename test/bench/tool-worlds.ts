import { openParts } from '@service/composition';
import { createLog } from '@service/log';
import type { ProviderId } from '@service/marketing-providers';
import { credentialOf, samplesOf } from '@service/marketing-providers/testing';
import { allInStep } from '../contacts/contacts-world.ts';
import { insertMarketingConnection } from '../support/marketing-connections.ts';
import type { BenchRun } from './bench.ts';
import { createBenchWorld, type BenchWorld } from './bench-world.ts';

/** A workspace whose registrants are kept in step in one tool. */
export interface ToolWorld extends BenchWorld {
  tool: ProviderId;
  connectionId: string;
}

type Parts = Awaited<ReturnType<typeof openParts>>;

export const openToolParts = ({
  url,
  encryptionKey,
}: {
  url: string;
  encryptionKey: string;
}): Promise<Parts> =>
  openParts({
    databaseUrl: url,
    name: 'bench',
    encryptionKey,
    encryptionKeysOld: [],
    baseUrl: 'http://localhost',
    retryScheduleSeconds: [0],
    webhookAllowedCidrs: ['127.0.0.0/8'],
    webhookAllowHttp: true,
    log: createLog('bench', { level: 'warn' }),
  });

/** `baseUrl` is the address of a fake of the tool. */
export async function createToolWorld(
  { database }: Pick<BenchRun, 'database'>,
  { connections }: Pick<Parts, 'connections'>,
  { tool, baseUrl }: { tool: ProviderId; baseUrl: string },
): Promise<ToolWorld> {
  const world = await createBenchWorld(database, 1);
  const connectionId = await insertMarketingConnection(database, connections, {
    accountId: world.accountId,
    provider: tool,
    credential: credentialOf(tool),
    baseUrl,
    sync: { ...allInStep, fields: { lastWebinar: { key: samplesOf(tool).text, policy: 'always' } } },
  });
  return { ...world, tool, connectionId };
}

const bulkMax = 500;

/** Registers people who have agreed, or were not asked, over REST. */
export async function registerMany(
  origin: string,
  { key, webinars }: BenchWorld,
  { people, hasAgreed }: { people: number; hasAgreed: boolean },
): Promise<void> {
  const { id, sessionTime } = webinars[0]!;
  for (let from = 0; from < people; from += bulkMax) {
    const registrations = Array.from({ length: Math.min(bulkMax, people - from) }, (_, index) => ({
      name: 'Ada Lovelace',
      email: `person-${from + index}@example.com`,
      sessionTime,
      suppressConfirmation: true,
      ...(hasAgreed && { consent: { given: true } }),
    }));
    const answer = await fetch(`${origin}/api/v1/webinars/${id}/registrations/bulk`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json' },
      body: JSON.stringify({ registrations }),
    });
    if (!answer.ok) throw new Error(`Registrations were answered ${answer.status}: ${await answer.text()}`);
  }
}
