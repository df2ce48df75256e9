import { createEventSubscriber } from '@service/automations';
import { createId, type Database } from '@service/database';
import { createLog } from '@service/log';
import { createJoinLinks, createRoom, type EventSubscriber } from '@service/attendees';
import { readToken } from '../support/join-token.ts';
import { createAudience, type Audience } from './attend-audience.ts';
import { openBenchDatabase } from './bench-database.ts';
import { median } from './median.ts';
import { columns, count, type BenchReport } from './report.ts';

export const overheadHelp = `overhead  clicks per second, one transaction each, in a webinar without rules: with the automations module as
          subscriber, and without any. Both in turns; the ratio is of the same minute`;

interface OverheadOptions {
  rounds: number;
  requests: number;
}

const attendees = 500;

/** Ignores all events: the same write without automations. */
const noSubscriber: EventSubscriber = {
  findInterest: async () => ({ minutes: [], percents: [], onEvents: async () => undefined }),
};

export async function benchOverhead({ rounds, requests }: OverheadOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database } = opened.use(await openBenchDatabase());
  const joinLinks = createJoinLinks({ key: 'bench', baseUrl: 'http://localhost' });
  const audience = await createAudience(database, joinLinks, attendees);
  const interactionId = await createOffer(database, audience);
  const log = createLog('bench', { level: 'warn' });
  const subscriber = createEventSubscriber({
    deliveries: { enqueue: async () => [], requireRoom: async () => undefined },
    database,
    log,
  });
  opened.defer(() => subscriber.close());

  const measure = async (subscriber: EventSubscriber): Promise<number> => {
    const room = createRoom({
      database,
      joinLinks,
      subscriber,
      announce: () => undefined,
      now: () => new Date(audience.startsAt.getTime() + 60_000),
      // Each click is a transaction of its own: in a batch others would pay a part of it.
      batchMax: 1,
    });
    let next = 0;
    const lane = async (): Promise<void> => {
      while (next < requests)
        await room.click(readToken(room, audience.joins[next++ % attendees]!), interactionId);
    };
    const startedAt = performance.now();
    await Promise.all(Array.from({ length: 8 }, lane));
    await room.close();
    return requests / ((performance.now() - startedAt) / 1000);
  };

  const measured: { heard: number; silent: number }[] = [];
  for (let round = 0; round <= rounds; round += 1) {
    const pair =
      round % 2 === 0
        ? { heard: await measure(subscriber), silent: await measure(noSubscriber) }
        : swap(await measure(noSubscriber), await measure(subscriber));
    if (round > 0) measured.push(pair);
  }
  const result = {
    heard: median(measured.map(({ heard }) => heard)),
    silent: median(measured.map(({ silent }) => silent)),
    added: median(measured.map(({ heard, silent }) => silent / heard - 1)),
  };
  return {
    figures: { result },
    text: [
      `overhead: a click in a webinar without rules takes ${(result.added * 100).toFixed(1)} % longer with automations`,
      columns([
        ['', 'clicks/s'],
        ['with automations', count(result.heard)],
        ['without', count(result.silent)],
      ]),
    ].join('\n'),
    targets: [{ name: 'share added', figure: result.added, is: 'at most', target: 0.1, accepted: 0.2 }],
  };
}

const swap = (silent: number, heard: number) => ({ heard, silent });

async function createOffer(database: Database, { accountId, webinarId }: Audience): Promise<string> {
  const id = createId();
  const details = { url: 'https://example.com/offer', buttonLabel: 'Buy', productRefs: [] };
  await database.pool.query(
    `insert into webinars.interaction (account_id, id, webinar_id, type, internal_name, headline, show_at_seconds, enabled,
       available_in_replay, display, dismissible, show_when, details, created_at, updated_at)
     values ($1, $2, $3, 'offer', 'Offer', 'Buy', 5, true, true, 'popup', true, '[]', $4, now(), now())`,
    [accountId, id, webinarId, details],
  );
  return id;
}
