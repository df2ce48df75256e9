// Timers follow changes of rules and of sessions, in the transaction that changes them.
import { statement, type AccountWriter } from '@service/database';
import { plannedSessions, type SessionChange } from '@service/webinars';
import type { Rule } from '../entities.ts';
import type { Trigger } from '../event-type/event-types.ts';
import { minutesAfter } from './timer-candidate.ts';
import { findSessionRules, type TimerRule } from './timer-rules.ts';
import { deleteTimers, putTimers, type TimerDraft } from './timers.ts';

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
