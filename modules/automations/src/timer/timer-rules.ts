import type { AccountReader } from '@service/database';
import { toListeningRule, type ListeningRule, type ListeningRuleRow } from '../rule/listening-rule.ts';
import type { TimerTrigger } from './moment.ts';

/** A rule whose timers are looked at: it may have been switched off since. */
export interface TimerRule extends ListeningRule {
  trigger: TimerTrigger;
  webinarId: string;
  enabled: boolean;
}

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

type Row = ListeningRuleRow & { webinar_id: string; enabled: boolean };

const columns = `
  id, name, endpoint_id, trigger_type, trigger_params, conditions, fire_mode, subscription_id, webinar_id, enabled`;

const selectByIds = {
  name: 'automations.select_timer_rules',
  text: `
    select ${columns} from automations.rule
    where account_id = $1 and id = any($2::uuid[])
      and trigger_type in ('before_session', 'after_session', 'time_elapsed_after_event')`,
};

/** Those of some rules that have timers now, by id. */
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

/** The rules of some webinars that wait for a moment before or after a session. */
export const findSessionRules = async (
  { query, accountId }: Reader,
  webinarIds: readonly string[],
): Promise<TimerRule[]> =>
  toTimerRules(await query<Row>(selectOfWebinars, [accountId, [...new Set(webinarIds)]]));

const toTimerRules = (rows: readonly Row[]): TimerRule[] =>
  rows.flatMap((row) => {
    const rule = toListeningRule(row);
    if (!rule) return [];
    const { webinar_id: webinarId, enabled } = row;
    return [{ ...rule, trigger: rule.trigger as TimerTrigger, webinarId, enabled }];
  });
