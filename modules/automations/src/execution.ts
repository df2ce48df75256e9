import { defineEntity, p } from '@mikro-orm/postgresql';

/** One rule that looked at one event, and what came of it. Partitioned by day on its UUIDv7 id. */
export const Execution = defineEntity({
  name: 'Execution',
  tableName: 'execution',
  schema: 'automations',
  indexes: [{ name: 'execution_registration_index', properties: ['accountId', 'registrationId', 'id'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    ruleId: p.uuid(),
    registrationId: p.uuid(),
    sessionId: p.uuid(),
    eventId: p.uuid(),
    eventType: p.text(),
    outcome: p.text(),
    /** The rule's name at that time, so that history outlives the rule. */
    ruleName: p.text(),
    deliveryId: p.uuid().nullable(),
  },
});
