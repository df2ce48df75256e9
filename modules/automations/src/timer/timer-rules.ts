import { column, nullable, statement, type AccountReader, type RowsOf } from '@service/database';
import { rowToRule, type LoadedRule, type RuleRow } from '../evaluation/webinar-rules.ts';
import { isTimerTrigger, timerEventTypes, type TimerTrigger } from '../event-type/event-types.ts';

/** A rule that has timers. It may have been switched off since they were made. */
export interface TimerRule extends LoadedRule {
  trigger: TimerTrigger;
  webinarId: string;
  enabled: boolean;
}

type Reader = Pick<AccountReader, 'query' | 'accountId'>;

const row = {
  id: column.id,
  name: column.text,
  endpoint_id: column.id,
  trigger_type: column.text,
  trigger_params: column.json<unknown>(),
  conditions: column.json<RuleRow['conditions']>(),
  fire_mode: nullable(column.textOf<NonNullable<RuleRow['fire_mode']>>()),
  subscription_id: nullable(column.id),
  webinar_id: column.id,
  enabled: column.boolean,
};

const columns = Object.keys(row).join(', ');

const selectByIds = statement({
  name: 'automations.select_timer_rules',
  text: `
    select ${columns} from automations.rule
    where account_id = $1 and id = any($2::uuid[]) and trigger_type in ('${timerEventTypes.join(`', '`)}')`,
  row,
});

/** Finds rules by id. Leaves out those that were deleted or have a trigger without timers by now. */
export async function findTimerRules(
  { query, accountId }: Reader,
  ruleIds: readonly string[],
): Promise<Map<string, TimerRule>> {
  const rules = toTimerRules(await query(selectByIds, [accountId, [...new Set(ruleIds)]]));
  return new Map(rules.map((rule) => [rule.id, rule]));
}

const selectOfWebinars = statement({
  name: 'automations.select_session_timer_rules',
  text: `
    select ${columns} from automations.rule
    where account_id = $1 and webinar_id = any($2::uuid[]) and trigger_type in ('before_session', 'after_session')
    order by id`,
  row,
});

/** Finds the rules of some webinars that fire before or after a session. */
export const findSessionRules = async (
  { query, accountId }: Reader,
  webinarIds: readonly string[],
): Promise<TimerRule[]> => toTimerRules(await query(selectOfWebinars, [accountId, [...new Set(webinarIds)]]));

const toTimerRules = (rows: readonly RowsOf<typeof selectByIds>[]): TimerRule[] =>
  rows.flatMap((found) => {
    const rule = rowToRule(found);
    if (!rule || !isTimerTrigger(rule.trigger)) return [];
    const { webinar_id: webinarId, enabled } = found;
    return [{ ...rule, trigger: rule.trigger, webinarId, enabled }];
  });
