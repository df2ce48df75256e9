import type { AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { listRoster, type Attendee } from '@service/attendees';
import type { SkipReason } from '@service/catalogue';
import { createEvaluation, type CpuClock } from '@service/conditions/budget';
import type { Timer } from '../entities.ts';
import { fireRules } from '../evaluation/fire-rules.ts';
import { isInAudience } from './audience.ts';
import { dueTime, timerCandidate } from './timer-candidate.ts';
import { findTimerRules, type TimerRule } from './timer-rules.ts';
import { putTimers, takeTimers } from './timers.ts';

/** Registrations of one transaction. */
const chunkMax = 1000;

export interface FireOptions {
  deliveries: Pick<Deliveries, 'enqueue'>;
  /** Timers of this time and earlier ones are due. */
  dueBy: Date;
  /** Default: the CPU time of this thread. */
  cpuMs?: CpuClock | undefined;
}

export interface Fired {
  /** Registrations that a rule was evaluated for. */
  fired: number;
  /** The session has more registrations, for another transaction. */
  hasMore: boolean;
}

const nothing: Fired = { fired: 0, hasMore: false };

/**
 * Fires a timer for the next registrations of its session and writes the timer back behind them, in one transaction. So a worker
 * that is killed leaves out no registration and repeats none. The transaction with the last registrations deletes the timer.
 */
export async function fireSessionTimer(
  tx: AccountWriter,
  timerId: string,
  { deliveries, dueBy, cpuMs }: FireOptions,
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
  if (!dueAt) return nothing;
  if (dueAt > dueBy) {
    putTimers(tx, [{ ...timer, dueAt, afterRegistrationId: null }]);
    return nothing;
  }
  const candidates = attendees
    .filter((attendee) => isInTime(timer, rule, attendee))
    .map((attendee) =>
      timerCandidate(timer, rule, { attendee, ownReason: audienceReason(timer, rule, attendee) }),
    );
  await fireRules(tx, { deliveries, evaluation: createEvaluation({ cpuMs }) }, candidates);
  const hasMore = attendees.length === chunkMax;
  if (hasMore) putTimers(tx, [{ ...timer, afterRegistrationId: attendees.at(-1)!.registration.id }]);
  return { fired: candidates.length, hasMore };
}

/** A late registration has its execution already: `registered_too_late`, recorded when it was made. */
const isInTime = ({ dueAt }: Timer, { trigger }: TimerRule, { registration }: Attendee): boolean =>
  trigger.type !== 'before_session' || registration.registeredAt < dueAt;

function audienceReason(
  { sourceAt }: Timer,
  { trigger }: TimerRule,
  attendee: Attendee,
): SkipReason | undefined {
  if (trigger.type !== 'after_session' || !sourceAt) return undefined;
  return isInAudience(attendee, trigger.params.audience, sourceAt) ? undefined : 'not_in_audience';
}
