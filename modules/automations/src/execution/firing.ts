import { defineEntity, p } from '@mikro-orm/postgresql';

/**
 * That a rule has fired for somebody in a session: its key is what makes a rule fire once. History is partitioned by day and
 * cannot hold such a key.
 */
export const Firing = defineEntity({
  name: 'Firing',
  tableName: 'firing',
  schema: 'automations',
  indexes: [
    {
      name: 'firing_fired_at_index',
      expression: 'create index firing_fired_at_index on automations.firing using brin (fired_at)',
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    ruleId: p.uuid().primary(),
    registrationId: p.uuid().primary(),
    sessionId: p.uuid().primary(),
    /** What of it: an interaction, an option, a message, a branch, a segment; empty where there is nothing of the kind. */
    subject: p.text().primary(),
    firedAt: p.datetime(3),
  },
});
