import { createEventSubscriber } from '@service/automations';
import { createId, type Database } from '@service/database';
import { createLog } from '@service/log';
import { createJoinLinks, createRoom, type EventSubscriber } from '@service/attendees';
import { readToken } from '../support/join-token.ts';
import { createAudience, type Audience } from './attend-audience.ts';
import { measureRounds, type Bench } from './bench.ts';
import { atMost, columns, count, mediansOf } from './report.ts';

const attendees = 500;

/** Ignores all events: the same write without automations. */
const noSubscriber: EventSubscriber = {
  findInterest: async () => ({ minutes: [], percents: [], onEvents: async () => undefined }),
};

export const overhead: Bench = {
  name: 'overhead',
  summary:
    'clicks per second, one transaction each, in a webinar without rules: with the automations module as subscriber, and without any. ' +
    'Both in turns; the ratio is of the same minute',
  async run({ database, rounds, requests, use }) {
    const joinLinks = createJoinLinks({ key: 'bench', baseUrl: 'http://localhost' });
    const audience = await createAudience(database, joinLinks, attendees);
    const interactionId = await createOffer(database, audience);
    const deliveries = {
      enqueue: async () => [],
      requireRoom: async () => undefined,
      deleteEndpoints: async () => undefined,
    };
    const log = createLog('bench', { level: 'warn' });
    const subscriber = createEventSubscriber({ deliveries, database, log });
    use({ [Symbol.asyncDispose]: async () => subscriber.close() });

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
    const measured = await measureRounds(rounds, async (round) => {
      const isFirst = round % 2 === 0;
      const [one, other] = isFirst ? [subscriber, noSubscriber] : [noSubscriber, subscriber];
      const rates = [await measure(one), await measure(other)];
      const [heard, silent] = (isFirst ? rates : rates.toReversed()) as [number, number];
      return { heard, silent, added: silent / heard - 1 };
    });
    const result = mediansOf(measured);
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
      targets: [atMost('share added', result.added, 0.1, 0.2)],
    };
  },
};

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
