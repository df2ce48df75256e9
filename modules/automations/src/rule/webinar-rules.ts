import type { Query } from '@service/database';
import type { AttendeeEventType } from '@service/attendees';
import type { EventType } from '../event/event-types.ts';
import type { Trigger } from '../event/trigger.ts';
import { toListeningRule, type ListeningRule, type ListeningRuleRow } from './listening-rule.ts';

/** The enabled rules of a webinar, in the order of what they wait for. Read once, used for many events. */
export interface WebinarRules {
  /** What `noteRulesChanged` counts; 0 before the first rule. */
  version: number;
  byTrigger: ReadonlyMap<EventType, readonly ListeningRule[]>;
  /** Rules whose timers events start: what they wait for is told by the clock. */
  timed: readonly ListeningRule[];
  /** Events that start such a timer. */
  timerEvents: ReadonlySet<AttendeeEventType>;
  /** Watched minutes that rules wait for: ascending, each once. */
  minutes: readonly number[];
  /** The same of percents. */
  percents: readonly number[];
  /** Of what the database sent, in characters. */
  size: number;
}

interface WebinarKey {
  accountId: string;
  webinarId: string;
}

// One statement sees one moment: the version is that of these rules. A rule of a subscription is enabled exactly while the
// subscription is active.
const selectRules = {
  name: 'automations.select_rules',
  text: `
    select
      coalesce((select version from automations.rule_set where account_id = $1 and webinar_id = $2), 0) as version,
      (select json_agg(json_build_object('id', id, 'name', name, 'endpoint_id', endpoint_id, 'trigger_type', trigger_type,
          'trigger_params', trigger_params, 'conditions', conditions, 'fire_mode', fire_mode,
          'subscription_id', subscription_id) order by id)::text
        from automations.rule where account_id = $1 and webinar_id = $2 and enabled) as rules`,
};

/** Reads the enabled rules of a webinar, in a transaction or beside it. */
export async function readWebinarRules(
  query: Query,
  { accountId, webinarId }: WebinarKey,
): Promise<WebinarRules> {
  const [row] = await query<{ version: number; rules: string | null }>(selectRules, [accountId, webinarId]);
  const { version, rules } = row!;
  const rows = JSON.parse(rules ?? '[]') as ListeningRuleRow[];
  const listening = rows.map(toListeningRule).filter((rule) => rule !== undefined);
  return { version, size: rules?.length ?? 0, ...indexRules(listening) };
}

const selectVersion = {
  name: 'automations.select_rules_version',
  text: 'select version from automations.rule_set where account_id = $1 and webinar_id = $2',
};

/** Of which version a webinar's rules are now. */
export async function readRulesVersion(query: Query, { accountId, webinarId }: WebinarKey): Promise<number> {
  const [row] = await query<{ version: number }>(selectVersion, [accountId, webinarId]);
  return row?.version ?? 0;
}

/** Whether any rule waits for events of this type, or has a timer that they start. */
export const areWaitedFor = ({ byTrigger, timerEvents }: WebinarRules, type: AttendeeEventType): boolean =>
  byTrigger.has(type) || timerEvents.has(type);

function indexRules(rules: readonly ListeningRule[]): Omit<WebinarRules, 'version' | 'size'> {
  const triggers = rules.map(({ trigger }) => trigger);
  return {
    byTrigger: Map.groupBy(rules, ({ trigger }) => trigger.type),
    timed: rules.filter(({ trigger }) => timerEventsOf(trigger).length > 0),
    timerEvents: new Set(triggers.flatMap(timerEventsOf)),
    minutes: ascending(
      triggers.flatMap((one) => (one.type === 'watched_minutes' ? [one.params.minutes] : [])),
    ),
    percents: ascending(
      triggers.flatMap((one) => (one.type === 'watched_percent' ? [one.params.percent] : [])),
    ),
  };
}

/** Of a rule whose timer starts with an event. Those of after_session start with the session's end. */
function timerEventsOf(trigger: Trigger): AttendeeEventType[] {
  if (trigger.type === 'before_session') return ['registered'];
  return trigger.type === 'time_elapsed_after_event' ? [trigger.params.event] : [];
}

const ascending = (numbers: readonly number[]): number[] => [...new Set(numbers)].toSorted((a, b) => a - b);
