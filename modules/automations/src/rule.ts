import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';

/**
 * When this happens in that webinar, send a webhook there. A dashboard rule stands alone; an API subscription has one rule
 * for each of its event types, all sharing its id.
 */
export const Rule = defineEntity({
  name: 'Rule',
  tableName: 'rule',
  schema: 'automations',
  indexes: [{ name: 'rule_webinar_trigger_index', properties: ['accountId', 'webinarId', 'triggerType'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    subscriptionId: p.uuid().nullable(),
    name: p.text(),
    enabled: p.boolean(),
    triggerType: p.text(),
    endpointId: p.uuid(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Rule = InferEntity<typeof Rule>;
