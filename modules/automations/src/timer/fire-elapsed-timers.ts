import type { AccountWriter } from '@service/database';
import { findAttendees, happenedBetween, type Attendee } from '@service/attendees';
import { createEvaluation } from '@service/conditions/budget';
import type { Timer } from '../entities.ts';
import { fireRules } from '../evaluation/fire-rules.ts';
import type { FireOptions } from './fire-session-timer.ts';
import { dueTime, minutesAfter, timerCandidate } from './timer-candidate.ts';
import { findTimerRules, type TimerRule } from './timer-rules.ts';
import { putTimers, takeTimers } from './timers.ts';

interface DueTimer {
  timer: Timer;
  rule: TimerRule;
  attendee: Attendee;
  /** With the current rule. It may be later than the timer's own time. */
  dueAt: Date;
}

/**
 * Only the first event of a type starts a timer, so a timer that has fired is kept, which prevents a second one. It is kept as
 * long as history.
 */
const keptMinutes = 90 * 24 * 60;

/** Fires timers of single registrations in one transaction. Returns how many registrations a rule was evaluated for. */
export async function fireElapsedTimers(
  tx: AccountWriter,
  timerIds: readonly string[],
  { deliveries, dueBy, cpuMs }: FireOptions,
): Promise<number> {
  const found = await describeTimers(tx, await takeTimers(tx, timerIds, dueBy));
  const due = found.filter(({ dueAt }) => dueAt <= dueBy);
  const prevented = await findPrevented(tx, due);
  const candidates = due.map((one) =>
    timerCandidate(one.timer, one.rule, {
      attendee: one.attendee,
      ownReason: prevented.has(one) ? 'other_event_came' : undefined,
    }),
  );
  await fireRules(tx, { deliveries, evaluation: createEvaluation({ cpuMs }) }, candidates);
  const keptUntil = minutesAfter(tx.now, keptMinutes);
  putTimers(
    tx,
    found.map(({ timer, dueAt }) =>
      dueAt > dueBy ? { ...timer, dueAt } : { ...timer, dueAt: keptUntil, sourceAt: null },
    ),
  );
  return candidates.length;
}

/** Adds rule and attendee. Leaves out timers that must not fire any more. */
async function describeTimers(tx: AccountWriter, timers: readonly Timer[]): Promise<DueTimer[]> {
  if (timers.length === 0) return [];
  const registrationIds = timers.flatMap(({ registrationId }) => registrationId ?? []);
  const [rules, attendees] = await Promise.all([
    findTimerRules(
      tx,
      timers.map(({ ruleId }) => ruleId),
    ),
    findAttendees(tx, registrationIds),
  ]);
  const attendeeById = new Map(attendees.map((attendee) => [attendee.registration.id, attendee]));
  return timers.flatMap((timer) => {
    const rule = rules.get(timer.ruleId);
    const attendee = attendeeById.get(timer.registrationId ?? '');
    if (!rule || !attendee) return [];
    const dueAt = dueTime(timer, rule.trigger, attendee.session);
    return dueAt ? [{ timer, rule, attendee, dueAt }] : [];
  });
}

/** Finds the timers whose `unlessEvent` has come in the meantime. */
async function findPrevented(tx: AccountWriter, due: readonly DueTimer[]): Promise<Set<DueTimer>> {
  const searches = due.flatMap((one) => {
    const { timer, rule, attendee } = one;
    if (rule.trigger.type !== 'time_elapsed_after_event') return [];
    const { unlessEvent: type } = rule.trigger.params;
    if (!type || !timer.sourceAt) return [];
    return [{ one, type, registrationId: attendee.registration.id, from: timer.sourceAt, to: timer.dueAt }];
  });
  const found = await happenedBetween(tx, searches);
  return new Set([...found].map(({ one }) => one));
}
