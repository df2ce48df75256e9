import type { AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { listRoster, type Attendee } from '@service/attendees';
import { createEvaluation, type CpuClock } from '@service/webinars';
import { decide, type Decision } from '../execution/decide.ts';
import type { SkipReason } from '../execution/execution.ts';
import { isInAudience } from './audience.ts';
import { dueTime, timerEvent } from './moment.ts';
import { findTimerRules, type TimerRule } from './timer-rules.ts';
import { skipReasonOf } from './skip-reason.ts';
import type { Timer } from './timer.ts';
import { putTimers, takeTimers } from './timers.ts';

/** Registrations of one transaction. */
const chunkMax = 1000;

export interface Firing {
  deliveries: Pick<Deliveries, 'enqueue'>;
  /** Timers are due that wait for this moment or one before it. */
  dueBy: Date;
  /** By default the CPU time of this thread. */
  cpuMs?: CpuClock | undefined;
}

export interface Fired {
  /** Registrations that rules looked at. */
  fired: number;
  /** There are more for another transaction. */
  goesOn: boolean;
}

const nothing: Fired = { fired: 0, goesOn: false };

/**
 * Fires a timer for the next registrants of its session and notes how far it came, in one transaction: whoever is killed,
 * nobody is left out or told twice. The last ones take the timer with them.
 */
export async function fireSessionTimer(
  tx: AccountWriter,
  timerId: string,
  { deliveries, dueBy, cpuMs }: Firing,
): Promise<Fired> {
  const [timer] = await takeTimers(tx, [timerId], dueBy);
  if (!timer) return nothing;
  const { ruleId, sessionId, afterRegistrationId } = timer;
  const [rules, attendees] = await Promise.all([
    findTimerRules(tx, [ruleId]),
    listRoster(tx, { sessionId, after: afterRegistrationId ?? undefined, limit: chunkMax }),
  ]);
  const rule = rules.get(ruleId);
  const [first] = attendees;
  if (!rule || !first) return nothing;
  const dueAt = dueTime(timer, rule.trigger, first.session);
  if (!dueAt || first.webinar.status !== 'published') return nothing;
  if (dueAt > dueBy) {
    putTimers(tx, [{ ...timer, dueAt, afterRegistrationId: null }]);
    return nothing;
  }
  const decisions = attendees
    .filter((attendee) => isMeant(timer, rule, attendee))
    .map((attendee) => judge(timer, rule, attendee));
  await decide(tx, { deliveries, evaluation: createEvaluation({ cpuMs }) }, decisions);
  const goesOn = attendees.length === chunkMax;
  if (goesOn) putTimers(tx, [{ ...timer, afterRegistrationId: attendees.at(-1)!.registration.id }]);
  return { fired: decisions.length, goesOn };
}

/** Who registers too late for a moment before the session is told so at once, and not again. */
const isMeant = ({ dueAt }: Timer, { trigger }: TimerRule, { registration }: Attendee): boolean =>
  trigger.type !== 'before_session' || registration.registeredAt < dueAt;

const judge = (timer: Timer, rule: TimerRule, attendee: Attendee): Decision => ({
  rule,
  event: timerEvent(timer, rule.trigger, attendee),
  skipReason: skipReasonOf(rule, attendee) ?? audienceReason(timer, rule, attendee),
});

function audienceReason(
  { sourceAt }: Timer,
  { trigger }: TimerRule,
  attendee: Attendee,
): SkipReason | undefined {
  if (trigger.type !== 'after_session' || !sourceAt) return undefined;
  return isInAudience(attendee, trigger.params.audience, sourceAt) ? undefined : 'not_in_audience';
}
