import { idTime, type AccountReader } from '@service/database';

/** How many of a rule's executions are looked at: one that hardly ever fires may have a million. */
const lookedAtMax = 1000;

const selectLastFired = {
  name: 'automations.select_last_fired',
  text: `
    select fired.rule_id, fired.id from unnest($2::uuid[]) as rule (id)
    cross join lateral (
      select newest.rule_id, newest.id from (
        select e.rule_id, e.id, e.outcome from automations.execution e
        where e.account_id = $1 and e.rule_id = rule.id
        order by e.id desc limit ${lookedAtMax}
      ) newest
      where newest.outcome = 'matched' order by newest.id desc limit 1
    ) fired`,
};

/** When rules last fired, by rule id; those that did not among the last thousand events they looked at are left out. */
export async function lastFiredAt(
  { query, accountId }: Pick<AccountReader, 'query' | 'accountId'>,
  ruleIds: readonly string[],
): Promise<Map<string, Date>> {
  const rows = await query<{ rule_id: string; id: string }>(selectLastFired, [accountId, ruleIds]);
  return new Map(rows.map((row) => [row.rule_id, idTime(row.id)]));
}
