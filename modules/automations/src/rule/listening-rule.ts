import type { Condition } from '@service/webinars';
import { Trigger } from '../event/trigger.ts';
import type { FireMode } from './rule.ts';

/** An enabled rule, as events are held against it. */
export interface ListeningRule {
  id: string;
  name: string;
  endpointId: string;
  trigger: Trigger;
  /** All must hold. */
  conditions: readonly Condition[];
  /** Only of rules on chat messages. */
  fireMode: FireMode | null;
  /** Of which subscription it is the rule for one event type; null when it stands alone. */
  subscriptionId: string | null;
}

/** A rule as a statement finds it. */
export interface ListeningRuleRow {
  id: string;
  name: string;
  endpoint_id: string;
  trigger_type: string;
  trigger_params: unknown;
  conditions: Condition[];
  fire_mode: FireMode | null;
  subscription_id: string | null;
}

/** Undefined when its trigger is none that this release knows, as in the middle of a deployment. */
export function toListeningRule(row: ListeningRuleRow): ListeningRule | undefined {
  const trigger = Trigger.safeParse({ type: row.trigger_type, params: row.trigger_params });
  if (!trigger.success) return undefined;
  return {
    id: row.id,
    name: row.name,
    endpointId: row.endpoint_id,
    trigger: trigger.data,
    conditions: row.conditions,
    fireMode: row.fire_mode,
    subscriptionId: row.subscription_id,
  };
}
