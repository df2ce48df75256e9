import { defineEntity, p } from '@mikro-orm/postgresql';

/** Counts the changes of a webinar's rules: whoever remembers rules remembers of which version. */
export const RuleSet = defineEntity({
  name: 'RuleSet',
  tableName: 'rule_set',
  schema: 'automations',
  properties: {
    accountId: p.uuid().primary(),
    webinarId: p.uuid().primary(),
    version: p.integer(),
  },
});
