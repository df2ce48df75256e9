// Seconds that a heartbeat can earn: a second of video takes a second of wall time. A page has a moment before which its time is
// used up, and so have all pages of the attendee together. Earned seconds move both moments forward. Time that stays unused for
// long is lost, since an honest player reports what it has played every ten seconds. It is not lost at once: a report may be late
// and the next one in time (10.4 s, then 9.6 s). The moments are in milliseconds, so no fraction of a second is ever dropped.
import type { Session } from '@service/webinars';
import type { Attendance, Visit } from '../entities/attendance.ts';
import { liveSince } from './live-position.ts';
import { silenceSeconds } from './presence.ts';
import { isMissingPrevious } from './visits.ts';

/** Clocks differ by that much, and the ends of intervals are rounded to whole seconds. An attendee gets it once. */
const toleranceMs = 2000;

/** Unused time that stays: one heartbeat that is not sent yet, and ten seconds by which it may be late. */
const keptMs = 20_000;

/** The same for a page whose heartbeat brought nothing new: it may be late by some seconds, and owes no report. */
const keptWhenIdleMs = 5000;

/** Milliseconds since 1970. Time before these moments is used up. */
export interface WatchBudget {
  nowMs: number;
  /** By the page that sent the heartbeat. */
  pageMs: number;
  /** By all pages of the attendee together. */
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

/** Whole seconds; what is left of the last one stays in the budget. Below 1 when there is none. */
export const earnableSeconds = ({ nowMs, pageMs, sharedMs }: WatchBudget): number =>
  Math.floor((nowMs - Math.max(pageMs, sharedMs)) / 1000);

/** The visit after its heartbeat earned so many seconds. */
export function useUp(visit: Visit, { nowMs, pageMs, sharedMs }: WatchBudget, gainedSeconds: number): Visit {
  const gainedMs = gainedSeconds * 1000;
  const isIdle = gainedSeconds === 0 && !isMissingPrevious(visit);
  return {
    ...visit,
    creditedSeconds: visit.creditedSeconds + gainedSeconds,
    usedUntilMs: Math.max(pageMs + gainedMs, nowMs - (isIdle ? keptWhenIdleMs : keptMs)),
    // Another page may be about to report what it has played.
    sharedUntilMs: Math.max(sharedMs + gainedMs, nowMs - keptMs),
  };
}

/** A page that is opened now: it has no time yet but the tolerance, and knows what the others have used. */
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

/** Each heartbeat writes it into its own visit. It never goes back, so the latest is the one that counts. */
function sharedUsedUntil(attendance: Attendance): number {
  const known = attendance.visits.flatMap(({ sharedUntilMs }) => sharedUntilMs ?? []);
  if (known.length > 0) return Math.max(...known);
  const openedMs = attendance.firstVisitAt.getTime() - toleranceMs;
  return usedBeforeUpdate(attendance, openedMs + attendance.watchedSeconds * 1000);
}

/** Of a visit that a version without budgets wrote: nothing earned is given again, and nothing long before the last heartbeat. */
const usedBeforeUpdate = ({ lastSeenAt }: Attendance, usedUntilMs: number): number =>
  lastSeenAt ? Math.max(usedUntilMs, lastSeenAt.getTime() - keptMs) : usedUntilMs;
