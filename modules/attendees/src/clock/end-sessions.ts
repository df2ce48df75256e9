import { accountWriter, type Database } from '@service/database';
import { endSessions, findEndingSessions, startSessions } from '@service/webinars';
import { attempt, inBatches, type Round } from './round.ts';

const batchMax = 200;

/** Starts sessions of the clock whose time has come, in every account. Returns how many. */
export const startDueSessions = (database: Database, round: Round): Promise<number> =>
  inBatches(round, async () => {
    const started = await startSessions(database.query, round.now, batchMax);
    for (const { account_id: accountId, webinar_id: webinarId } of started)
      round.onStarted?.(accountId, webinarId);
    return { done: started.length, isFull: started.length === batchMax };
  });

/** Ends live sessions of the clock whose time is over; each account's in a transaction of its own. Returns how many. */
export async function endDueSessions(database: Database, round: Round): Promise<number> {
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
