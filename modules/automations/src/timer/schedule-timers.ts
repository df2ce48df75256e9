import type { AttendeeEvent } from '@service/attendees';
import type { SkipReason } from '@service/catalogue';
import { statement, type AccountWriter } from '@service/database';
import { plannedSessions, type SessionChange } from '@service/webinars';
import { LRUCache } from 'lru-cache';
import type { Rule } from '../entities.ts';
import type { Candidate } from '../evaluation/candidates.ts';
import type { LoadedRule } from '../evaluation/webinar-rules.ts';
import type { Trigger } from '../event-type/event-types.ts';
import { beforeSessionData, minutesAfter } from './timer-candidate.ts';
import {
  addTimers,
  deleteTimers,
  findSessionRules,
  putTimers,
  type TimerDraft,
  type TimerRule,
} from './timers.ts';

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
const committed = new LRUCache<string, true>({ maxSize: 20_000, sizeCalculation: () => 1 });

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

// Timers follow changes of rules and of sessions, in the transaction that changes them.

/** Next sessions of a webinar that get a timer when a rule changes. Later sessions get theirs with a registration. */
const sessionsMax = 500;

type TimedRule = Pick<Rule, 'id' | 'webinarId' | 'enabled' | 'triggerType' | 'triggerParams'>;

/**
 * Call it when a rule was created, changed or switched. Timers that are due already stay due. If the time before a session has
 * passed, no timer is made for it. A rule that is switched off keeps its timers.
 */
export async function rescheduleRuleTimers(tx: AccountWriter, rule: TimedRule): Promise<void> {
  const { id: ruleId, webinarId, enabled } = rule;
  const trigger = { type: rule.triggerType, params: rule.triggerParams } as Trigger;
  const sourceEvent = trigger.type === 'time_elapsed_after_event' ? trigger.params.event : null;
  tx.defer(deleteMisfits, [tx.accountId, ruleId, trigger.type, sourceEvent]);
  if (trigger.type === 'after_session' || trigger.type === 'time_elapsed_after_event') {
    const minutes =
      'delayMinutes' in trigger.params ? trigger.params.delayMinutes : trigger.params.offsetMinutes;
    tx.defer(shiftTimers, [tx.accountId, ruleId, minutes, tx.now]);
  }
  if (trigger.type !== 'before_session' || !enabled) return;
  const { offsetMinutes } = trigger.params;
  const sessions = await plannedSessions(tx, { webinarId, limit: sessionsMax });
  const timers = sessions.map(({ id: sessionId, startsAt }) => ({
    ruleId,
    webinarId,
    sessionId,
    dueAt: minutesAfter(startsAt, -offsetMinutes),
  }));
  putTimers(
    tx,
    timers.filter(({ dueAt }) => dueAt > tx.now),
  );
  deleteTimers(
    tx,
    timers.filter(({ dueAt }) => dueAt <= tx.now),
    { dueAfter: tx.now },
  );
}

/** Call it when a rule was deleted. */
export function deleteRuleTimers(
  { defer, accountId }: Pick<AccountWriter, 'defer' | 'accountId'>,
  ruleId: string,
): void {
  defer(deleteMisfits, [accountId, ruleId, null, null]);
}

// Deletes timers that do not fit the current trigger, and those that have fired and are only kept: after a change of the rule the
// same event may start them again.
const deleteMisfits = statement({
  name: 'automations.delete_misfit_timers',
  text: `
    delete from automations.timer
    where account_id = $1 and rule_id = $2 and case $3
      when 'before_session' then registration_id is not null or source_at is not null
      when 'after_session' then registration_id is not null or source_at is null
      when 'time_elapsed_after_event' then source_event is distinct from $4 or source_at is null
      else true end`,
});

const shiftTimers = statement({
  name: 'automations.shift_timers',
  text: `
    update automations.timer set due_at = source_at + make_interval(mins => $3)
    where account_id = $1 and rule_id = $2 and due_at > $4 and due_at <> source_at + make_interval(mins => $3)`,
});

/**
 * Moves, adds or deletes the timers of sessions that have changed. Timers before a cancelled session stay, so that an execution
 * with the reason `session_cancelled` is recorded for each registration.
 */
export async function rescheduleSessionTimers(
  tx: AccountWriter,
  changes: readonly SessionChange[],
): Promise<void> {
  if (changes.length === 0) return;
  const rules = await findSessionRules(
    tx,
    changes.map(({ session }) => session.webinarId),
  );
  const steps = changes.flatMap((change) =>
    rules
      .filter((rule) => rule.webinarId === change.session.webinarId)
      .map((rule) => stepOf(rule, change, tx.now)),
  );
  deleteTimers(
    tx,
    steps.flatMap((step) => step.delete ?? []),
  );
  putTimers(
    tx,
    steps.flatMap((step) => step.put ?? []),
  );
}

interface Step {
  put?: TimerDraft;
  delete?: TimerDraft;
}

function stepOf(rule: TimerRule, { change, session }: SessionChange, now: Date): Step {
  const timer = { ruleId: rule.id, webinarId: session.webinarId, sessionId: session.id, dueAt: now };
  const { trigger } = rule;
  if (trigger.type === 'before_session') {
    if (session.kind !== 'scheduled' || change === 'cancelled') return {};
    if (change === 'ended' || session.startsAt <= now) return { delete: timer };
    const dueAt = minutesAfter(session.startsAt, -trigger.params.offsetMinutes);
    // The session had its events already, or gets them from a timer that is due.
    if (change === 'booked' && dueAt <= now) return {};
    // Registrants know the former time. If the new moment has already passed, the timer fires now.
    return rule.enabled ? { put: { ...timer, dueAt: dueAt < now ? now : dueAt } } : {};
  }
  if (trigger.type !== 'after_session' || change === 'moved' || change === 'booked') return {};
  if (change !== 'ended') return { delete: timer };
  const sourceAt = session.actualEndedAt ?? now;
  const dueAt = minutesAfter(sourceAt, trigger.params.offsetMinutes);
  return rule.enabled ? { put: { ...timer, dueAt, sourceAt } } : {};
}
