import type { AccountWriter } from '@service/database';
import { findAttendees, happenedBetween, type Attendee } from '@service/attendees';
import { createEvaluation } from '@service/webinars';
import { decide, type Decision } from '../execution/decide.ts';
import type { Firing } from './fire-session-timer.ts';
import { dueTime, minutesAfter, timerEvent } from './moment.ts';
import { findTimerRules, type TimerRule } from './timer-rules.ts';
import { skipReasonOf } from './skip-reason.ts';
import type { Timer } from './timer.ts';
import { putTimers, takeTimers } from './timers.ts';

/** A timer that came due, with what it takes to judge it. */
interface Ripe {
  timer: Timer;
  rule: TimerRule;
  attendee: Attendee;
  /** As its rule is now. */
  dueAt: Date;
}

/**
 * How long a timer that came due stays, waiting for nothing: the first event of a kind starts the clock, so none may start it
 * again. As long as history.
 */
const keptMinutes = 90 * 24 * 60;

/** Fires timers that started with an event of one attendee each, in one transaction. Returns how many rules looked at. */
export async function fireElapsedTimers(
  tx: AccountWriter,
  timerIds: readonly string[],
  { deliveries, dueBy, cpuMs }: Firing,
): Promise<number> {
  const found = await ripen(tx, await takeTimers(tx, timerIds, dueBy));
  const due = found.filter(({ dueAt }) => dueAt <= dueBy);
  const prevented = await findPrevented(tx, due);
  const decisions = due.map((ripe) => judge(ripe, prevented.has(ripe)));
  await decide(tx, { deliveries, evaluation: createEvaluation({ cpuMs }) }, decisions);
  const forgottenAt = minutesAfter(tx.now, keptMinutes);
  putTimers(
    tx,
    found.map(({ timer, dueAt }) =>
      dueAt > dueBy ? { ...timer, dueAt } : { ...timer, dueAt: forgottenAt, sourceAt: null },
    ),
  );
  return decisions.length;
}

/** Leaves out those that wait for nothing any more. */
async function ripen(tx: AccountWriter, timers: readonly Timer[]): Promise<Ripe[]> {
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
    if (!rule || attendee?.webinar.status !== 'published') return [];
    const dueAt = dueTime(timer, rule.trigger, attendee.session);
    return dueAt ? [{ timer, rule, attendee, dueAt }] : [];
  });
}

const judge = ({ timer, rule, attendee }: Ripe, isPrevented: boolean): Decision => ({
  rule,
  event: timerEvent(timer, rule.trigger, attendee),
  skipReason: skipReasonOf(rule, attendee) ?? (isPrevented ? 'other_event_came' : undefined),
});

/** Those for whom what must not happen meanwhile has happened. */
async function findPrevented(tx: AccountWriter, due: readonly Ripe[]): Promise<Set<Ripe>> {
  const questions = due.flatMap((ripe) => {
    const { timer, rule, attendee } = ripe;
    if (rule.trigger.type !== 'time_elapsed_after_event') return [];
    const { unlessEvent: type } = rule.trigger.params;
    if (!type || !timer.sourceAt) return [];
    return [{ ripe, type, registrationId: attendee.registration.id, from: timer.sourceAt, to: timer.dueAt }];
  });
  const happened = await happenedBetween(tx, questions);
  return new Set([...happened].map(({ ripe }) => ripe));
}
