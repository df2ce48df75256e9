// The watch budget limits the seconds that a heartbeat can earn: a second of video takes a second of wall time. Each page has a
// moment before which its time is used up, and all pages of the attendee share another one. Earned seconds move both forward. An
// honest player reports every ten seconds, so time that stays unused for long is lost. It is not lost at once, because a
// heartbeat can be late and the next one on time (10.4 s, then 9.6 s). Moments are in milliseconds, so fractions of a second are
// not lost.
import type { Session } from '@service/webinars';
import type { Attendance, Visit } from '../entities/attendance.ts';
import { liveSince } from './live-position.ts';
import { silenceSeconds } from './departure.ts';
import { isMissingPrevious } from './visits.ts';

/** Allows for clock differences and for rounding intervals to whole seconds. Granted once per attendee. */
const toleranceMs = 2000;

/** Unused time that is kept: ten seconds until the next heartbeat, and ten seconds of delay. */
const keptMs = 20_000;

/** Unused time that is kept after a heartbeat without new seconds. Such a page has nothing left to report. */
const keptWhenIdleMs = 5000;

/** Milliseconds since 1970. Time before these moments is used up. */
export interface WatchBudget {
  nowMs: number;
  /** For the page that sent the heartbeat. */
  pageMs: number;
  /** For all pages of the attendee together. */
  sharedMs: number;
}

interface Moment {
  now: Date;
  session: Pick<Session, 'startsAt' | 'actualStartedAt'>;
}

export function budgetOf(attendance: Attendance, visit: Visit, { now, session }: Moment): WatchBudget {
  const nowMs = now.getTime();
  return {
    nowMs,
    pageMs: Math.max(pageUsedUntil(attendance, visit), nowMs - silenceSeconds * 1000),
    sharedMs: Math.max(sharedUsedUntil(attendance), liveSince(session).getTime() - toleranceMs),
  };
}

/** Whole seconds that can be earned now. Fractions stay in the budget. Below 1 if there are none. */
export const earnableSeconds = ({ nowMs, pageMs, sharedMs }: WatchBudget): number =>
  Math.floor((nowMs - Math.max(pageMs, sharedMs)) / 1000);

/** Returns the visit after its heartbeat has earned `gainedSeconds`. */
export function useUp(visit: Visit, { nowMs, pageMs, sharedMs }: WatchBudget, gainedSeconds: number): Visit {
  const gainedMs = gainedSeconds * 1000;
  const isIdle = gainedSeconds === 0 && !isMissingPrevious(visit);
  return {
    ...visit,
    creditedSeconds: visit.creditedSeconds + gainedSeconds,
    usedUntilMs: Math.max(pageMs + gainedMs, nowMs - (isIdle ? keptWhenIdleMs : keptMs)),
    // Another page may report its played time soon, so the shared budget always keeps keptMs.
    sharedUntilMs: Math.max(sharedMs + gainedMs, nowMs - keptMs),
  };
}

/** The budget of a new page: only the tolerance, and the shared budget of the other pages. */
export function openBudget(
  attendance: Attendance | undefined,
  now: Date,
): Pick<Visit, 'usedUntilMs' | 'sharedUntilMs'> {
  const usedUntilMs = now.getTime() - toleranceMs;
  return { usedUntilMs, sharedUntilMs: attendance ? sharedUsedUntil(attendance) : usedUntilMs };
}

const pageUsedUntil = (attendance: Attendance, visit: Visit): number =>
  visit.usedUntilMs ??
  usedBeforeUpdate(attendance, visit.startedAtMs - toleranceMs + visit.creditedSeconds * 1000);

/** Each heartbeat stores the shared moment in its own visit. It never goes back, so the maximum is the current one. */
function sharedUsedUntil(attendance: Attendance): number {
  const known = attendance.visits.flatMap(({ sharedUntilMs }) => sharedUntilMs ?? []);
  if (known.length > 0) return Math.max(...known);
  const openedMs = attendance.firstVisitAt.getTime() - toleranceMs;
  return usedBeforeUpdate(attendance, openedMs + attendance.watchedSeconds * 1000);
}

/** For rows from versions without budgets: earned time is used up, and so is time long before the last heartbeat. */
const usedBeforeUpdate = ({ lastSeenAt }: Attendance, usedUntilMs: number): number =>
  lastSeenAt ? Math.max(usedUntilMs, lastSeenAt.getTime() - keptMs) : usedUntilMs;
