import type { AccountWriter } from '@service/database';
import type { AttendeeEvent } from '@service/attendees';
import type { SkipReason } from '@service/catalogue';
import { LRUCache } from 'lru-cache';
import type { Candidate } from '../evaluation/match-rules.ts';
import type { LoadedRule } from '../evaluation/webinar-rules.ts';
import { beforeSessionData, minutesAfter } from './timer-candidate.ts';
import { addTimers, type TimerDraft } from './timers.ts';

/**
 * Adds the timers that events start, in the events' transaction: timers of sessions for rules with before_session, and timers of
 * registrations for rules with time_elapsed_after_event. Takes at most one statement. Returns the candidates of rules that need
 * no timer because the registration can never get their event.
 */
export async function scheduleTimers(
  tx: AccountWriter,
  rules: readonly LoadedRule[],
  events: readonly AttendeeEvent[],
): Promise<Candidate[]> {
  const plans = events.flatMap((event) => rules.flatMap((rule) => planOf(rule, event) ?? []));
  const timers = plans.flatMap(({ timer }) => timer ?? []);
  const ofSessions = distinct(timers.filter((timer) => !timer.registrationId)).filter(
    (timer) => !exists(timer, tx.now),
  );
  addTimers(tx, [...ofSessions, ...timers.filter((timer) => timer.registrationId)]);
  if (ofSessions.length > 0) tx.afterCommit(() => cacheTimers(ofSessions));
  return plans.flatMap(({ candidate }) => candidate ?? []);
}

/** Either a timer, or the candidate of a rule that is skipped at once. */
interface Plan {
  timer?: TimerDraft;
  candidate?: Candidate;
}

function planOf(rule: LoadedRule, event: AttendeeEvent): Plan | undefined {
  const { trigger } = rule;
  if (trigger.type === 'before_session' && event.type === 'registered')
    return planBefore(rule, event, trigger.params.offsetMinutes);
  if (trigger.type !== 'time_elapsed_after_event' || trigger.params.event !== event.type) return undefined;
  const { id: registrationId } = event.registration;
  const timer = timerFor(rule, event, minutesAfter(event.occurredAt, trigger.params.delayMinutes));
  return { timer: { ...timer, registrationId, sourceEvent: event.type, sourceAt: event.occurredAt } };
}

function planBefore(rule: LoadedRule, event: AttendeeEvent, offsetMinutes: number): Plan {
  const dueAt = minutesAfter(event.session.startsAt, -offsetMinutes);
  const skip = (skipReason: SkipReason): Plan => {
    const data = beforeSessionData(event.session, offsetMinutes);
    return { candidate: { rule, event: { ...event, type: 'before_session', data }, skipReason } };
  };
  if (event.session.kind !== 'scheduled') return skip('session_not_scheduled');
  // The timer compares the same time when it is due, so a registration gets the event or this reason, never both.
  if (event.registration.registeredAt >= dueAt) return skip('registered_too_late');
  return { timer: timerFor(rule, event, dueAt) };
}

const timerFor = (rule: LoadedRule, { webinar, session }: AttendeeEvent, dueAt: Date): TimerDraft => ({
  ruleId: rule.id,
  webinarId: webinar.id,
  sessionId: session.id,
  dueAt,
});

/** Five hundred registrations for one session need one timer. */
const distinct = (timers: readonly TimerDraft[]): TimerDraft[] => [
  ...new Map(timers.map((timer) => [`${timer.ruleId} ${timer.sessionId}`, timer])).values(),
];

/** Committed timers of sessions, so that only the first registration of a session needs a statement. */
const committed = new LRUCache<string, true>({ max: 20_000 });

/** More than a transaction takes and than the clocks of two machines differ. */
const doubtMs = 60_000;

/**
 * True if the timer of a session is known to exist. Never true shortly before it is due: another worker may be firing it, and this
 * registration must still get the event.
 */
const exists = (timer: TimerDraft, now: Date): boolean =>
  timer.dueAt.getTime() - now.getTime() > doubtMs && committed.has(cacheKey(timer));

function cacheTimers(timers: readonly TimerDraft[]): void {
  for (const timer of timers) committed.set(cacheKey(timer), true);
}

/** Contains the time, so that a changed session or rule is a new key. */
const cacheKey = ({ ruleId, sessionId, dueAt }: TimerDraft): string =>
  `${ruleId} ${sessionId} ${dueAt.getTime()}`;
