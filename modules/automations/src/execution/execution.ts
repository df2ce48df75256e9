import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { KeptResult } from './keep-results.ts';

export const executionOutcomes = ['matched', 'skipped'] as const;

/** Why a rule that looked at an event did not fire. */
export const skipReasons = [
  'condition_not_met',
  'already_fired',
  'rule_disabled',
  'registered_too_late',
  'registration_cancelled',
  'session_cancelled',
  'session_not_scheduled',
  'not_in_audience',
  'other_event_came',
  'evaluation_budget',
] as const;

export type SkipReason = (typeof skipReasons)[number];

/** One rule that looked at one event, and what came of it. Partitioned by day on its UUIDv7 id. */
export const Execution = defineEntity({
  name: 'Execution',
  tableName: 'execution',
  schema: 'automations',
  indexes: [
    { name: 'execution_registration_index', properties: ['accountId', 'registrationId', 'id'] },
    { name: 'execution_rule_index', properties: ['accountId', 'ruleId', 'id'] },
    { name: 'execution_webinar_index', properties: ['accountId', 'webinarId', 'id'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    ruleId: p.uuid(),
    registrationId: p.uuid(),
    sessionId: p.uuid(),
    eventId: p.uuid(),
    eventType: p.text(),
    outcome: p.text().$type<(typeof executionOutcomes)[number]>(),
    skipReason: p.text().$type<SkipReason>().nullable(),
    conditionResults: p.json<KeptResult[]>().defaultRaw(`'[]'`),
    /** The rule's name at that time, so that history outlives the rule. */
    ruleName: p.text(),
    deliveryId: p.uuid().nullable(),
  },
});

export type Execution = InferEntity<typeof Execution>;
