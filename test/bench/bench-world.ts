import { randomUUID } from 'node:crypto';
import type { AccountWriter, Database } from '@service/database';
import { allScopes, allSurfaces, createApiKey } from '@service/keys';
import { createWebinar, CreateWebinarInput, publishWebinar } from '@service/webinars';

export interface BenchWorld {
  accountId: string;
  /** Full access. */
  key: string;
  /** Published, newest last. */
  webinars: { id: string; sessionTime: string }[];
}

/** An account with a key and published webinars that have a session next year. */
export async function createBenchWorld(database: Database, webinarCount: number): Promise<BenchWorld> {
  const accountId = randomUUID();
  const write = <Result>(work: (tx: AccountWriter) => Promise<Result>): Promise<Result> =>
    database.transaction((tx) => work({ ...tx, accountId, now: new Date() }));
  const access = { label: 'Bench', scopes: allScopes, surfaces: allSurfaces };
  const { key } = await write((tx) => createApiKey(tx, { ...access, createdBy: { kind: 'operator' } }));
  const startDate = `${new Date().getUTCFullYear() + 1}-06-01`;
  const webinars: BenchWorld['webinars'] = [];
  for (let made = 0; made < webinarCount; made += 1) {
    const input = CreateWebinarInput.parse({
      title: `Webinar ${made}`,
      description: 'About as long as a description is: what it is about, for whom it is, and who speaks.',
      schedule: { recurrences: [{ frequency: 'once', startDate, time: '09:00' }] },
    });
    webinars.push(
      await write(async (tx) => {
        const webinar = await createWebinar(tx, input);
        await publishWebinar(tx, webinar.id);
        return { id: webinar.id, sessionTime: `${startDate}T09:00:00.000Z` };
      }),
    );
  }
  return { accountId, key, webinars };
}
