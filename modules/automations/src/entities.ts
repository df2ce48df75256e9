// The six tables of this module, with the closed sets that their columns take.
import { allSkipReasons } from '@service/catalogue';
import { entityRow } from '@service/database';
import { defineEntity, p, type InferEntity } from '@mikro-orm/postgresql';
import type { AttendeeEventType } from '@service/attendees';
import type { Condition, ConditionResult } from '@service/conditions';
import type { RuleContact } from '@service/contacts';
import type { QueuedRuleMail, RuleMail } from '@service/mails';
import type { EventType } from './event-type/event-types.ts';

/** A rule on chat messages fires for the first match or for each match of an attendee in a session. */
export const fireModes = ['once_per_session', 'every_match'] as const;

export type FireMode = (typeof fireModes)[number];

/** An e-mail action of a rule, without its text. */
export type RuleEmail = Omit<RuleMail, 'subject' | 'text'> & { id: string };

/** An action of a rule that updates a contact in a marketing tool. */
export type RuleIntegration = RuleContact & { id: string };

/**
 * A trigger, its conditions and its actions: an endpoint, e-mails, marketing tools, or several of them. A standalone rule has no `subscriptionId`. A subscription has one rule for each of
 * its event types; all of them have its id.
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
    /** The rule fires only if all of them are met. */
    conditions: p.json<Condition[]>().defaultRaw(`'[]'`),
    /** Null unless the trigger is chat_response. */
    fireMode: p.enum(fireModes).nullable(),
    /** Its webhooks are or were about revenue. It stays true, because waiting and stored deliveries follow a change of the URL. */
    carriesRevenue: p.boolean().default(false),
    /** Null in a rule without a webhook. It is also the id of the webhook as an action. */
    endpointId: p.uuid().nullable(),
    emails: p.json<RuleEmail[]>().defaultRaw(`'[]'`),
    /** By the id of the action. A column of its own, because rules are evaluated without their texts. */
    emailTexts: p.json<Record<string, Pick<RuleMail, 'subject' | 'text'>>>().defaultRaw(`'{}'`),
    integrations: p.json<RuleIntegration[]>().defaultRaw(`'[]'`),
    /** The number of times that the rule was switched off. A waiting mail of an earlier generation is not sent. */
    generation: p.integer().default(0),
    /** Null in a rule of a subscription: the subscription has the time. */
    secretRotatedAt: p.datetime(3).nullable(),
    createdAt: p.datetime(3),
    updatedAt: p.datetime(3),
  },
});

export type Rule = InferEntity<typeof Rule>;

export const ruleRow = entityRow(Rule);

/** The version of a webinar's rules. It increases with every change, so that caches know when they are stale. */
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

/** A webhook subscription. Its event types are its rules; its URL is in its endpoint. */
export const Subscription = defineEntity({
  name: 'Subscription',
  tableName: 'subscription',
  schema: 'automations',
  indexes: [{ name: 'subscription_webinar_index', properties: ['accountId', 'webinarId', 'id'] }],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    webinarId: p.uuid(),
    endpointId: p.uuid(),
    /** A name for people. */
    description: p.text().nullable(),
    active: p.boolean(),
    secretRotatedAt: p.datetime(3),
    createdAt: p.datetime(3),
    /** Null: it was never changed. */
    updatedAt: p.datetime(3).nullable(),
  },
});

export type Subscription = InferEntity<typeof Subscription>;

export const executionOutcomes = ['matched', 'skipped'] as const;

/** The result of a condition as history keeps it. Values that history has no room for are null. */
export type KeptResult = Pick<ConditionResult, 'field' | 'operator' | 'passed'> & {
  expected: unknown;
  actual: unknown;
};

/** A mail that an e-mail action has queued. */
export interface QueuedMail extends QueuedRuleMail {
  actionId: string;
}

/** A change of a contact that an action has queued. */
export interface QueuedContact {
  actionId: string;
  connectionId: string;
}

/** The record of one evaluation of one rule for one event. Partitioned by day on its UUIDv7 id. */
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
    outcome: p.enum(executionOutcomes),
    skipReason: p.enum(allSkipReasons).nullable(),
    conditionResults: p.json<KeptResult[]>().defaultRaw(`'[]'`),
    /** The name at that time. The rule itself may have been deleted since. */
    ruleName: p.text(),
    deliveryId: p.uuid().nullable(),
    mails: p.json<QueuedMail[]>().defaultRaw(`'[]'`),
    contacts: p.json<QueuedContact[]>().defaultRaw(`'[]'`),
  },
});

export type Execution = InferEntity<typeof Execution>;

export const executionRow = entityRow(Execution);

/**
 * The key that makes a rule fire once for a registration in a session. A table of its own, because a unique key of the
 * partitioned history would have to contain the partition's day.
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
    /** An interaction, option, message, branch or segment. Empty for events that have none of them. */
    subject: p.text().primary(),
    firedAt: p.datetime(3),
  },
});

/**
 * A moment at which a rule is evaluated: before or after a session for all of its registrations, or some time after an event for
 * the registration of that event.
 */
export const Timer = defineEntity({
  name: 'Timer',
  tableName: 'timer',
  schema: 'automations',
  uniques: [
    {
      name: 'timer_unique',
      expression: `alter table automations.timer add constraint timer_unique
        unique nulls not distinct (account_id, rule_id, session_id, registration_id)`,
    },
  ],
  indexes: [
    { name: 'timer_due_index', properties: ['dueAt'] },
    { name: 'timer_session_index', properties: ['accountId', 'sessionId'] },
  ],
  properties: {
    accountId: p.uuid().primary(),
    id: p.uuid().primary(),
    ruleId: p.uuid(),
    webinarId: p.uuid(),
    sessionId: p.uuid(),
    /** Null for the timer of a session, which is for all of its registrations. */
    registrationId: p.uuid().nullable(),
    dueAt: p.datetime(3),
    /** The event that started the timer. Only with the trigger time_elapsed_after_event. */
    sourceEvent: p.text().$type<AttendeeEventType>().nullable(),
    /**
     * The time of that event, or the end of the session. Null before a session, and in a timer that has fired and is only kept
     * so that the same event cannot start it again.
     */
    sourceAt: p.datetime(3).nullable(),
    /** The last registration of the session that the timer has fired for. */
    afterRegistrationId: p.uuid().nullable(),
  },
});

export type Timer = InferEntity<typeof Timer>;

export const timerRow = entityRow(Timer);

export const automationEntities = [Rule, RuleSet, Subscription, Execution, Firing, Timer];
