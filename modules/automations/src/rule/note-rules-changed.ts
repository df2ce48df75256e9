import type { AccountWriter } from '@service/database';

/** Processes that remember rules listen here; a notification carries a `rulesKey`. */
export const rulesChannel = 'automations_rules';

/** One webinar of one account, as text. */
export const rulesKey = (accountId: string, webinarId: string): string => `${accountId}:${webinarId}`;

// NOTIFY makes commits wait for each other, which nobody feels: rules change rarely.
const countChange = {
  name: 'automations.count_rules_change',
  text: `
    with changed as (
      insert into automations.rule_set (account_id, webinar_id, version) values ($1, $2, 1)
      on conflict (account_id, webinar_id) do update set version = rule_set.version + 1
      returning account_id, webinar_id
    )
    select pg_notify('${rulesChannel}', account_id || ':' || webinar_id) from changed`,
};

/**
 * To be called by everything that changes what rules of a webinar do, in the transaction that changes it: whoever remembers
 * them reads them anew.
 */
export const noteRulesChanged = (
  { defer, accountId }: Pick<AccountWriter, 'defer' | 'accountId'>,
  webinarId: string,
): void => defer(countChange, [accountId, webinarId]);
