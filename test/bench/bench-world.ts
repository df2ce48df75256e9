import { randomUUID } from 'node:crypto';
import type { Database } from '@service/database';
import { createKey, createPublishedWebinar, type PublishedWebinar } from '../support/factories.ts';

export interface BenchWorld {
  accountId: string;
  /** Full access. */
  key: string;
  /** Published, newest last. */
  webinars: PublishedWebinar[];
}

/** An account with a key and published webinars that have a session next year. */
export async function createBenchWorld(
  database: Database,
  webinarCount: number,
  accountId: string = randomUUID(),
): Promise<BenchWorld> {
  const { key } = await createKey(database, accountId);
  const sessionTime = `${new Date().getUTCFullYear() + 1}-06-01T09:00:00.000Z`;
  const webinars: PublishedWebinar[] = [];
  for (let made = 0; made < webinarCount; made += 1) {
    const title = `Webinar ${made}`;
    webinars.push(await createPublishedWebinar(database, accountId, { sessionTime, title, description }));
  }
  return { accountId, key, webinars };
}

const description =
  'Of the usual length: the topic of the webinar, the people it is made for, and its speakers.';
