import type { AccountWriter } from '@service/database';
import { plannedSessions } from '@service/webinars';
import type { Trigger } from '../event/trigger.ts';
import type { Rule } from '../rule/rule.ts';
import { minutesAfter } from './moment.ts';
import { dropTimers, putTimers } from './timers.ts';

/** Coming sessions of a webinar that get a timer when a rule changes; those behind them when somebody registers. */
const sessionsMax = 500;

type TimedRule = Pick<Rule, 'id' | 'webinarId' | 'enabled' | 'triggerType' | 'triggerParams'>;

/**
 * To be called when a rule has been made, changed or switched, in that transaction: its timers follow. What is due already stays
 * due, and a moment before a session that has passed is not made up for. A rule that is switched off keeps its timers.
 */
export async function followRule(tx: AccountWriter, rule: TimedRule): Promise<void> {
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
  dropTimers(
    tx,
    timers.filter(({ dueAt }) => dueAt <= tx.now),
    { dueAfter: tx.now },
  );
}

/** To be called when a rule has been deleted, in that transaction. */
export function forgetRule(
  { defer, accountId }: Pick<AccountWriter, 'defer' | 'accountId'>,
  ruleId: string,
): void {
  defer(deleteMisfits, [accountId, ruleId, null, null]);
}

// Timers of another trigger than the rule has now, and those that are only kept: a rule that was changed has looked at nobody.
const deleteMisfits = {
  name: 'automations.delete_misfit_timers',
  text: `
    delete from automations.timer
    where account_id = $1 and rule_id = $2 and case $3
      when 'before_session' then registration_id is not null or source_at is not null
      when 'after_session' then registration_id is not null or source_at is null
      when 'time_elapsed_after_event' then source_event is distinct from $4 or source_at is null
      else true end`,
};

const shiftTimers = {
  name: 'automations.shift_timers',
  text: `
    update automations.timer set due_at = source_at + make_interval(mins => $3)
    where account_id = $1 and rule_id = $2 and due_at > $4 and due_at <> source_at + make_interval(mins => $3)`,
};
