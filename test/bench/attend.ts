import { randomBytes } from 'node:crypto';
import { createEventSubscriber } from '@service/automations';
import type { Database } from '@service/database';
import { createLog } from '@service/log';
import { createJoinLinks, createRoom, type Room } from '@service/attendees';
import { readToken } from '../support/join-token.ts';
import { createAudience, type Audience } from './attend-audience.ts';
import { measureBareBeats } from './attend-ceiling.ts';
import { openBenchDatabase } from './bench-database.ts';
import { percentilesOf } from './percentiles.ts';
import { columns, count, mediansOf, ms, type BenchReport } from './report.ts';

export const attendHelp = `attend    heartbeats per second of 5,000 attendees, as fast as they are answered: token, watch time, marks of a rule, one
          row each. Ceiling: a bare pg loop that writes the same rows, in batches of the size that came about`;

interface AttendOptions {
  rounds: number;
}

interface Round {
  perSecond: number;
  p50: number;
  p99: number;
  batch: number;
  bare: number;
  ratio: number;
}

const attendees = 5000;
/** Calls under way at once. */
const concurrency = 500;
const beatSeconds = 10;

export async function benchAttend({ rounds }: AttendOptions): Promise<BenchReport> {
  await using opened = new AsyncDisposableStack();
  const { database, url } = opened.use(await openBenchDatabase());
  const joinLinks = createJoinLinks({
    key: randomBytes(32).toString('base64'),
    baseUrl: 'http://localhost',
  });
  const audience = await createAudience(database, joinLinks, attendees);
  const log = createLog('bench', { level: 'warn' });
  const subscriber = createEventSubscriber({
    deliveries: { enqueue: nobodySends, requireRoom: async () => undefined },
    database,
    log,
  });
  opened.defer(() => subscriber.close());
  const counted = countTransactions(database);
  const clock = { now: audience.startsAt };
  const room = createRoom({
    database: counted.database,
    joinLinks,
    subscriber,
    announce: () => undefined,
    now: () => clock.now,
  });
  opened.defer(() => room.close());
  const visits = await enterAll(room, audience);

  const measured: Round[] = [];
  // The first round joins everybody and warms up.
  for (let round = 0; round <= rounds; round += 1) {
    clock.now = new Date(clock.now.getTime() + beatSeconds * 1000);
    const before = counted.transactions();
    const startedAt = performance.now();
    const times = await beatAll(room, { audience, visits, seq: round + 1 });
    const perSecond = attendees / ((performance.now() - startedAt) / 1000);
    const batch = Math.round(attendees / (counted.transactions() - before));
    const bare = await measureBareBeats(url, { accountId: audience.accountId, batch });
    const { p50, p99 } = percentilesOf(times);
    if (round > 0) measured.push({ perSecond, p50, p99, batch, bare, ratio: perSecond / bare });
  }
  await requireWatched(database, audience, beatSeconds * (rounds + 1));
  const result = mediansOf(measured);
  return {
    figures: { result },
    text: describe(result),
    targets: [{ name: 'ratio', figure: result.ratio, is: 'at least', target: 0.5, accepted: 0.28 }],
  };
}

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

function describe({ perSecond, p50, p99, batch, bare, ratio }: Round): string {
  return [
    `attend: ${count(attendees)} attendees, ${concurrency} heartbeats under way`,
    columns([
      ['', 'heartbeats/s', 'ratio'],
      [`room, batches of ${batch}`, count(perSecond), ratio.toFixed(2)],
      ['bare pg loop, the same rows', count(bare), '1.00'],
    ]),
    `  answered in p50 ${ms(p50)}, p99 ${ms(p99)}`,
  ].join('\n');
}
