import {
  accountWriter,
  anyOf,
  column,
  type Database,
  isFirstDue,
  statement,
  type Transaction,
} from '@service/database';
import {
  endSessions,
  findEndingSessions,
  hasDueSession,
  lockClosingSessions,
  markSessionsClosed,
  startSessions,
} from '@service/webinars';
import { findNoShows } from './find-no-shows.ts';
import { attempt, type Batch, type ClockOptions, inBatches, type Round } from './round.ts';
import { sweepDepartures } from './sweep-departures.ts';

/** Number of sessions and attendees that one round has changed. */
export interface ClockCounts {
  started: number;
  ended: number;
  left: number;
  noShows: number;
}

/** True if a round may find something. */
export const hasClockWork = anyOf([
  hasDueSession,
  isFirstDue({ table: 'attendees.attendance', time: 'check_at', where: 'check_at is not null' }),
]);

const toldMax = 5;

/**
 * Runs one round of the session clock over all accounts: starts and ends sessions, publishes `left` for attendees who are gone
 * and `no_show` for those who did not come. Any number of processes can run it at once, and each can die at any moment, because
 * every batch is a transaction that stores its progress. Throws at once if the database does not answer.
 */
export async function runSessionClock(database: Database, options: ClockOptions): Promise<ClockCounts> {
  const failures: unknown[] = [];
  const round = { onFailure: (error: unknown) => void failures.push(error), ...options };
  const started = await startDueSessions(database, round);
  const ended = await endDueSessions(database, round);
  await closeSessions(database, round);
  const left = await sweepDepartures(database, round);
  const noShows = await findNoShows(database, round);
  throwTogether(failures);
  return { started, ended, left, noShows };
}

function throwTogether(failures: readonly unknown[]): void {
  if (failures.length === 0) return;
  if (failures.length === 1) throw failures[0];
  const messages = new Set(failures.map((failure) => (failure as Error).message));
  throw new AggregateError(failures.slice(0, toldMax), [...messages].slice(0, toldMax).join('; '));
}

const batchMax = 200;

/** Starts sessions of the clock whose time has come, in every account. Returns how many. */
const startDueSessions = (database: Database, round: Round): Promise<number> =>
  inBatches(round, async () => {
    const started = await startSessions(database.query, round.now, batchMax);
    for (const { accountId, webinarId } of started) round.onStarted?.(accountId, webinarId);
    return { done: started.length, isFull: started.length === batchMax };
  });

/** Ends live sessions of the clock whose time is over; each account's in a transaction of its own. Returns how many. */
async function endDueSessions(database: Database, round: Round): Promise<number> {
  const { now, subscriber } = round;
  const due = await findEndingSessions(database.query, now);
  let ended = 0;
  for (const [accountId, own] of Map.groupBy(due, (session) => session.accountId)) {
    const ids = own.map(({ id }) => id);
    const endOfAccount = (): Promise<number> =>
      database.transaction((tx) => endSessions(accountWriter(tx, { accountId, now }), ids, subscriber));
    ended += (await attempt(round, endOfAccount)) ?? 0;
    if (round.signal?.aborted) break;
  }
  return ended;
}

const sessionsMax = 200;
const presentMax = 2000;

// In order and without "skip locked", like heartbeats: an attendee who is skipped would stay in the room for another 90 s.
const checkNow = statement({
  name: 'attendees.check_present_now',
  text: `
    with present as (
      select a.account_id, a.registration_id from unnest($2::uuid[], $3::uuid[]) as s (account_id, id)
      join attendees.attendance a on a.account_id = s.account_id and a.session_id = s.id and a.check_at > $1
      order by a.account_id, a.registration_id limit ${presentMax} for no key update of a
    )
    update attendees.attendance a set check_at = $1 from present
    where a.account_id = present.account_id and a.registration_id = present.registration_id
    returning a.registration_id`,
  row: { registration_id: column.id },
});

/** Makes the attendees who are still in the room of an ended session due for their check. Returns how many. */
const closeSessions = (database: Database, round: Round): Promise<number> =>
  inBatches(round, () => database.transaction((tx) => closeSome(tx, round.now)));

async function closeSome(tx: Transaction, now: Date): Promise<Batch> {
  const closing = await lockClosingSessions(tx, now, sessionsMax);
  if (closing.length === 0) return { done: 0, isFull: false };
  const keys = [closing.map(({ accountId }) => accountId), closing.map(({ id }) => id)];
  const { length: present } = await tx.query(checkNow, [now, ...keys]);
  const isAll = present < presentMax;
  if (isAll) await markSessionsClosed(tx, closing);
  return { done: present, isFull: !isAll || closing.length === sessionsMax };
}
