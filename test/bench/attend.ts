import { randomBytes } from 'node:crypto';
import { createEventSubscriber } from '@service/automations';
import type { Database } from '@service/database';
import { createLog } from '@service/log';
import { createJoinLinks, createRoom, type Room } from '@service/attendees';
import { readToken } from '../support/join-token.ts';
import { createAudience, type Audience } from './attend-audience.ts';
import { measureBareBeats } from './attend-ceiling.ts';
import { measureRounds, type Bench } from './bench.ts';
import { percentilesOf } from './percentiles.ts';
import { atLeast, columns, count, mediansOf, ms } from './report.ts';

const attendees = 5000;
/** Calls under way at once. */
const concurrency = 500;
const beatSeconds = 10;

export const attend: Bench = {
  name: 'attend',
  summary:
    'heartbeats per second of 5,000 attendees, as fast as they are answered: token, watch time, marks of a rule, one row each. Ceiling: ' +
    'a bare pg loop that writes the same rows, in batches of the size that came about',
  async run({ database, url, rounds, say, use }) {
    const key = randomBytes(32).toString('base64');
    const joinLinks = createJoinLinks({ key, baseUrl: 'http://localhost' });
    const audience = await createAudience(database, joinLinks, attendees);
    const deliveries = {
      enqueue: nobodySends,
      requireRoom: async () => undefined,
      deleteEndpoints: async () => undefined,
    };
    const log = createLog('bench', { level: 'warn' });
    const subscriber = createEventSubscriber({ deliveries, database, log });
    use({ [Symbol.asyncDispose]: async () => subscriber.close() });
    const counted = countTransactions(database);
    const clock = { now: audience.startsAt };
    const room = createRoom({
      database: counted.database,
      joinLinks,
      subscriber,
      announce: () => undefined,
      now: () => clock.now,
    });
    use({ [Symbol.asyncDispose]: async () => room.close() });
    const visits = await enterAll(room, audience);

    const measured = await measureRounds(rounds, async (round) => {
      say(`round ${round} of ${rounds}`);
      clock.now = new Date(clock.now.getTime() + beatSeconds * 1000);
      const before = counted.transactions();
      const startedAt = performance.now();
      const { p50, p99 } = percentilesOf(await beatAll(room, { audience, visits, seq: round + 1 }));
      const perSecond = attendees / ((performance.now() - startedAt) / 1000);
      const batch = Math.round(attendees / (counted.transactions() - before));
      const bare = await measureBareBeats(url, { accountId: audience.accountId, batch });
      return { perSecond, p50, p99, batch, bare, ratio: perSecond / bare };
    });
    await requireWatched(database, audience, beatSeconds * (rounds + 1));
    const result = mediansOf(measured);
    return {
      figures: { result },
      text: [
        `attend: ${count(attendees)} attendees, ${concurrency} heartbeats under way`,
        columns([
          ['', 'heartbeats/s', 'ratio'],
          [`room, batches of ${result.batch}`, count(result.perSecond), result.ratio.toFixed(2)],
          ['bare pg loop, the same rows', count(result.bare), '1.00'],
        ]),
        `  answered in p50 ${ms(result.p50)}, p99 ${ms(result.p99)}`,
      ].join('\n'),
      targets: [atLeast('ratio', result.ratio, 0.5, 0.28)],
    };
  },
};

function nobodySends(): Promise<string[]> {
  throw new Error('Nothing was to be delivered here.');
}

function countTransactions(database: Database) {
  let transactions = 0;
  return {
    transactions: () => transactions,
    database: {
      query: database.query,
      ofAccount: (accountId: string) => {
        const own = database.ofAccount(accountId);
        const transaction: Database['transaction'] = (work) => {
          transactions += 1;
          return own.transaction(work);
        };
        return { ...own, transaction };
      },
    },
  };
}

const enterAll = (room: Room, { joins }: Audience): Promise<string[]> =>
  Promise.all(joins.map(async (join) => (await room.enter(readToken(room, join))).visitId));

interface Beats {
  audience: Audience;
  visits: readonly string[];
  seq: number;
}

/** One heartbeat of everybody; the milliseconds each took. */
async function beatAll(room: Room, { audience: { joins }, visits, seq }: Beats): Promise<number[]> {
  const times: number[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    while (next < joins.length) {
      const index = next++;
      const startedAt = performance.now();
      await room.heartbeat(readToken(room, joins[index]!), {
        visitId: visits[index]!,
        seq,
        playheadSeconds: seq * beatSeconds,
        intervals: [[(seq - 1) * beatSeconds, seq * beatSeconds]],
        state: 'playing',
        visible: true,
      });
      times.push(performance.now() - startedAt);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, lane));
  return times;
}

/** A room that lost heartbeats would be a fast one. */
async function requireWatched(database: Database, { accountId }: Audience, seconds: number): Promise<void> {
  const { rows } = await database.pool.query<{ least: number; most: number; count: number }>(
    `select min(watched_seconds) as least, max(watched_seconds) as most, count(*)::int as count
     from attendees.attendance where account_id = $1`,
    [accountId],
  );
  const [{ least, most, count: found }] = rows as [{ least: number; most: number; count: number }];
  if (found !== attendees || least !== seconds || most !== seconds)
    throw new Error(`${found} attendees have watched ${least} to ${most} seconds, not ${seconds}.`);
}
