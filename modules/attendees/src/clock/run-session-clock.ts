import type { Database } from '@service/database';
import { closeSessions } from './close-sessions.ts';
import { endDueSessions, startDueSessions } from './end-sessions.ts';
import { findNoShows } from './find-no-shows.ts';
import type { ClockOptions } from './round.ts';
import { sweepDepartures } from './sweep-departures.ts';

/** Number of sessions and attendees that one round has changed. */
export interface ClockCounts {
  started: number;
  ended: number;
  left: number;
  noShows: number;
}

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
