import type { Database } from '@service/database';
import { closeSessions } from './close-sessions.ts';
import { endDueSessions, startDueSessions } from './end-sessions.ts';
import { findNoShows } from './find-no-shows.ts';
import type { ClockOptions } from './round.ts';
import { sweepPresence } from './sweep-presence.ts';

/** How many sessions and registrants one round of the clock has moved. */
export interface ClockCounts {
  started: number;
  ended: number;
  left: number;
  noShows: number;
}

const toldMax = 5;

/**
 * One round of what time does, in all accounts: sessions start and end, those who are gone have left, and those who never
 * came are no-shows. Any number of processes may do it at once, and each may die at any moment: every batch is a transaction
 * that says in the database how far it is. Throws at once when the database cannot be asked.
 */
export async function runSessionClock(database: Database, options: ClockOptions): Promise<ClockCounts> {
  const failures: unknown[] = [];
  const round = { onFailure: (error: unknown) => void failures.push(error), ...options };
  const started = await startDueSessions(database, round);
  const ended = await endDueSessions(database, round);
  await closeSessions(database, round);
  const left = await sweepPresence(database, round);
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
