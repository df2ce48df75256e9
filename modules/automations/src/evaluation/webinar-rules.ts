import { column, nullable, statement, type Query } from '@service/database';
import type { AttendeeEventType } from '@service/attendees';
import type { Condition } from '@service/conditions';
import type { FireMode, RuleEmail, RuleIntegration } from '../entities.ts';
import { isTimerTrigger, Trigger, type EventType, type TimerTrigger } from '../event-type/event-types.ts';

/** A rule as events are evaluated against it. */
export interface LoadedRule {
  id: string;
  name: string;
  /** Null for a rule without a webhook. */
  endpointId: string | null;
  emails: readonly RuleEmail[];
  integrations: readonly RuleIntegration[];
  /** The number of times that it was switched off. */
  generation: number;
  trigger: Trigger;
  conditions: readonly Condition[];
  /** Null unless the trigger is chat_response. */
  fireMode: FireMode | null;
  /** Null for a standalone rule. */
  subscriptionId: string | null;
}

/** The columns of a rule that a statement returns. */
export interface RuleRow {
  id: string;
  name: string;
  endpoint_id: string | null;
  emails: RuleEmail[];
  integrations: RuleIntegration[];
  generation: number;
  trigger_type: string;
  trigger_params: unknown;
  conditions: Condition[];
  fire_mode: FireMode | null;
  subscription_id: string | null;
}

/** Undefined if this release does not know the trigger, which happens in the middle of a deployment. */
export function rowToRule(row: RuleRow): LoadedRule | undefined {
  const trigger = Trigger.safeParse({ type: row.trigger_type, params: row.trigger_params });
  if (!trigger.success) return undefined;
  return {
    id: row.id,
    name: row.name,
    endpointId: row.endpoint_id,
    emails: row.emails,
    integrations: row.integrations,
    generation: row.generation,
    trigger: trigger.data,
    conditions: row.conditions,
    fireMode: row.fire_mode,
    subscriptionId: row.subscription_id,
  };
}

/** The enabled rules of a webinar, indexed by trigger. Loaded once and used for many events. */
export interface WebinarRules {
  /** 0 before the first rule. `notifyRulesChanged` increments it. */
  version: number;
  /** Differs after every change of an enabled rule, also when the version is the same. */
  fingerprint: string;
  byTrigger: ReadonlyMap<EventType, readonly LoadedRule[]>;
  /** Rules with timers that events start. */
  timerRules: readonly LoadedRule[];
  /** Events that start such timers. */
  timerEvents: ReadonlySet<AttendeeEventType>;
  /** Watched minutes that rules wait for: ascending, without duplicates. */
  minutes: readonly number[];
  /** Watched percents that rules wait for: ascending, without duplicates. */
  percents: readonly number[];
  /** Characters of the rules as JSON. */
  size: number;
}

interface WebinarKey {
  accountId: string;
  webinarId: string;
}

// One statement reads one snapshot, so the version belongs to exactly these rules. The rules of a subscription are enabled
// exactly while the subscription is active. Every update of a row changes its xmin, so rules with the fingerprint $3 are not read.
const selectRules = statement({
  name: 'automations.select_rules',
  text: `
    with present as materialized (
      select md5(coalesce(string_agg(concat(p.id, ' ', p.xmin), ',' order by p.id), '')) as fingerprint
      from automations.rule p where p.account_id = $1 and p.webinar_id = $2 and p.enabled
    )
    select
      coalesce((select version from automations.rule_set where account_id = $1 and webinar_id = $2), 0) as version,
      fingerprint,
      case when fingerprint is distinct from $3::text then
        (select coalesce(json_agg(json_build_object('id', id, 'name', name, 'endpoint_id', endpoint_id, 'emails', emails,
            'integrations', integrations, 'generation', generation, 'trigger_type', trigger_type, 'trigger_params', trigger_params, 'conditions', conditions, 'fire_mode', fire_mode,
            'subscription_id', subscription_id) order by id), '[]')::text
          from automations.rule where account_id = $1 and webinar_id = $2 and enabled) end as rules
    from present`,
  row: { version: column.integer, fingerprint: column.text, rules: nullable(column.text) },
});

/**
 * Loads the enabled rules of a webinar, inside or outside a transaction. Rules that are the same as the `known` ones are neither sent nor
 * parsed again.
 */
export async function loadWebinarRules(
  query: Query,
  { accountId, webinarId }: WebinarKey,
  known?: WebinarRules,
): Promise<WebinarRules> {
  const [row] = await query(selectRules, [accountId, webinarId, known?.fingerprint ?? null]);
  const { version, fingerprint, rules } = row!;
  if (known && rules === null) return { ...known, version };
  const rows = JSON.parse(rules!) as RuleRow[];
  const loaded = rows.map(rowToRule).filter((rule) => rule !== undefined);
  return { version, fingerprint, size: rules!.length, ...indexRules(loaded) };
}

const selectVersion = statement({
  name: 'automations.select_rules_version',
  text: 'select version from automations.rule_set where account_id = $1 and webinar_id = $2',
  row: { version: column.integer },
});

/** The current version of a webinar's rules. */
export async function loadRulesVersion(query: Query, { accountId, webinarId }: WebinarKey): Promise<number> {
  const [row] = await query(selectVersion, [accountId, webinarId]);
  return row?.version ?? 0;
}

/** True if a rule has this event as its trigger, or a timer that this event starts. */
export const isAwaited = ({ byTrigger, timerEvents }: WebinarRules, type: AttendeeEventType): boolean =>
  byTrigger.has(type) || timerEvents.has(type);

function indexRules(rules: readonly LoadedRule[]): Omit<WebinarRules, 'version' | 'fingerprint' | 'size'> {
  const triggers = rules.map(({ trigger }) => trigger);
  return {
    byTrigger: Map.groupBy(rules, ({ trigger }) => trigger.type),
    timerRules: rules.filter(({ trigger }) => startEvents(trigger).length > 0),
    timerEvents: new Set(triggers.flatMap(startEvents)),
    minutes: ascending(
      triggers.flatMap((one) => (one.type === 'watched_minutes' ? [one.params.minutes] : [])),
    ),
    percents: ascending(
      triggers.flatMap((one) => (one.type === 'watched_percent' ? [one.params.percent] : [])),
    ),
  };
}

/** The events that start a timer of this trigger. */
const startEvents = (trigger: Trigger): AttendeeEventType[] =>
  isTimerTrigger(trigger) ? timerStartEvents(trigger) : [];

function timerStartEvents(trigger: TimerTrigger): AttendeeEventType[] {
  if (trigger.type === 'before_session') return ['registered'];
  // These timers start with the end of the session.
  if (trigger.type === 'after_session') return [];
  return [trigger.params.event];
}

const ascending = (numbers: readonly number[]): number[] => [...new Set(numbers)].toSorted((a, b) => a - b);
