import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { Condition } from '@service/webinars';
import type { EventType } from '../event/event-types.ts';

/** How often a rule on chat messages fires for one attendee and session. */
export const fireModes = ['once_per_session', 'every_match'] as const;

export type FireMode = (typeof fireModes)[number];

/**
 * When this happens in that webinar, send a webhook there. A rule of its own stands alone; an API subscription has one
 * rule for each of its event types, all sharing its id.
 */
export const Rule = defineEntity({
  name: 'Rule',
  tableName: 'rule',
  schema: 'automations',
  indexes: [
    { name: 'rule_webinar_trigger_index', properties: ['accountId', 'webinarId', 'triggerType'] },
    {
      name: 'rule_subscription_index',
      properties: ['accountId', 'subscriptionId'],
      where: 'subscription_id is not null',
    },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    subscriptionId: p.uuid().nullable(),
    name: p.text(),
    enabled: p.boolean(),
    triggerType: p.text().$type<EventType>(),
    triggerParams: p.json<Record<string, unknown>>().defaultRaw(`'{}'`),
    /** All must hold. */
    conditions: p.json<Condition[]>().defaultRaw(`'[]'`),
    /** Only of rules on chat messages. */
    fireMode: p.text().$type<FireMode>().nullable(),
    endpointId: p.uuid(),
    /** Null in the rules of a subscription, which has it itself. */
    secretRotatedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Rule = InferEntity<typeof Rule>;
