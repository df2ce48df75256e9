import type { AccountReader } from '@service/database';
import { rowToRule, type LoadedRule, type RuleRow } from '../evaluation/webinar-rules.ts';
import { isTimerTrigger, timerEventTypes, type TimerTrigger } from '../event-types/event-types.ts';

/** A rule that has timers. It may have been switched off since they were made. */
export interface TimerRule extends LoadedRule {
  trigger: TimerTrigger;
  webinarId: string;
  enabled: boolean;
}

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

type Row = RuleRow & { webinar_id: string; enabled: boolean };

const columns = `
  id, name, endpoint_id, trigger_type, trigger_params, conditions, fire_mode, subscription_id, webinar_id, enabled`;

const selectByIds = {
  name: 'automations.select_timer_rules',
  text: `
    select ${columns} from automations.rule
    where account_id = $1 and id = any($2::uuid[]) and trigger_type in ('${timerEventTypes.join(`', '`)}')`,
};

/** Finds rules by id. Leaves out those that were deleted or have a trigger without timers by now. */
export async function findTimerRules(
  { query, accountId }: Reader,
  ruleIds: readonly string[],
): Promise<Map<string, TimerRule>> {
  const rules = toTimerRules(await query<Row>(selectByIds, [accountId, [...new Set(ruleIds)]]));
  return new Map(rules.map((rule) => [rule.id, rule]));
}

const selectOfWebinars = {
  name: 'automations.select_session_timer_rules',
  text: `
    select ${columns} from automations.rule
    where account_id = $1 and webinar_id = any($2::uuid[]) and trigger_type in ('before_session', 'after_session')
    order by id`,
};

/** Finds the rules of some webinars that fire before or after a session. */
export const findSessionRules = async (
  { query, accountId }: Reader,
  webinarIds: readonly string[],
): Promise<TimerRule[]> =>
  toTimerRules(await query<Row>(selectOfWebinars, [accountId, [...new Set(webinarIds)]]));

const toTimerRules = (rows: readonly Row[]): TimerRule[] =>
  rows.flatMap((row) => {
    const rule = rowToRule(row);
    if (!rule || !isTimerTrigger(rule.trigger)) return [];
    const { webinar_id: webinarId, enabled } = row;
    return [{ ...rule, trigger: rule.trigger, webinarId, enabled }];
  });
