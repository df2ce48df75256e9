import type { AccountWriter } from '@service/database';
import type { AttendeeEvent } from '@service/attendees';
import type { Decision } from '../execution/decide.ts';
import type { SkipReason } from '../execution/execution.ts';
import type { ListeningRule } from '../rule/listening-rule.ts';
import { isKnown, rememberTimers } from './known-timers.ts';
import { beforeSessionData, minutesAfter } from './moment.ts';
import { addTimers, type TimerDraft } from './timers.ts';

/**
 * Makes the timers that events start, in the events' transaction: for rules that wait for a moment before the session of somebody
 * who registers, and for those that wait some time after the event. At most one statement, and none where the timers are known to
 * be there. Gives back the rules that look at a registration and have nothing to wait for.
 */
export async function scheduleTimers(
  tx: AccountWriter,
  rules: readonly ListeningRule[],
  events: readonly AttendeeEvent[],
): Promise<Decision[]> {
  const plans = events.flatMap((event) => rules.flatMap((rule) => planOf(rule, event) ?? []));
  const timers = plans.flatMap(({ timer }) => timer ?? []);
  const ofSessions = distinct(timers.filter((timer) => !timer.registrationId)).filter(
    (timer) => !isKnown(timer, tx.now),
  );
  addTimers(tx, [...ofSessions, ...timers.filter((timer) => timer.registrationId)]);
  if (ofSessions.length > 0) tx.afterCommit(() => rememberTimers(ofSessions));
  return plans.flatMap(({ decision }) => decision ?? []);
}

/** What a rule makes of an event: it waits, or says at once why it does not. */
interface Plan {
  timer?: TimerDraft;
  decision?: Decision;
}

function planOf(rule: ListeningRule, event: AttendeeEvent): Plan | undefined {
  const { trigger } = rule;
  if (trigger.type === 'before_session' && event.type === 'registered')
    return planBefore(rule, event, trigger.params.offsetMinutes);
  if (trigger.type !== 'time_elapsed_after_event' || trigger.params.event !== event.type) return undefined;
  const { id: registrationId } = event.registration;
  const timer = timerFor(rule, event, minutesAfter(event.occurredAt, trigger.params.delayMinutes));
  return { timer: { ...timer, registrationId, sourceEvent: event.type, sourceAt: event.occurredAt } };
}

function planBefore(rule: ListeningRule, event: AttendeeEvent, offsetMinutes: number): Plan {
  const dueAt = minutesAfter(event.session.startsAt, -offsetMinutes);
  const refuse = (skipReason: SkipReason): Plan => {
    const data = beforeSessionData(event.session, offsetMinutes);
    return { decision: { rule, event: { ...event, type: 'before_session', data }, skipReason } };
  };
  if (event.session.kind !== 'scheduled') return refuse('session_not_scheduled');
  // By the registration's own time, as when the timer is due: it is told one or the other.
  if (event.registration.registeredAt >= dueAt) return refuse('registered_too_late');
  return { timer: timerFor(rule, event, dueAt) };
}

const timerFor = (rule: ListeningRule, { webinar, session }: AttendeeEvent, dueAt: Date): TimerDraft => ({
  ruleId: rule.id,
  webinarId: webinar.id,
  sessionId: session.id,
  dueAt,
});

/** Five hundred who register for one session need one timer. */
const distinct = (timers: readonly TimerDraft[]): TimerDraft[] => [
  ...new Map(timers.map((timer) => [`${timer.ruleId} ${timer.sessionId}`, timer])).values(),
];
