import { z } from 'zod';
import type { Source, SourceKind } from '../delivery/source.ts';
import { automationErrors } from '../errors.ts';
import { allEventTypes, type EventType } from '../event/event-types.ts';
import type { Rule } from './rule.ts';
import { findRule, holdRule } from './rules.ts';
import { RuleInput } from './schemas.ts';

export const ruleToSource = (rule: Rule): Source => ({
  endpointId: rule.endpointId,
  isOn: rule.enabled,
  path: `/webinars/${rule.webinarId}/automations/${rule.id}`,
});

/** A standalone rule as something that sends. Its trigger may have been another before. */
export const ruleKind: SourceKind<typeof RuleInput.shape, z.ZodType<EventType, EventType>> = {
  noun: 'automation',
  title: 'rule',
  tag: 'Automations',
  path: '/webinars/{webinarId}/automations/{ruleId}',
  key: RuleInput,
  eventType: z.enum(allEventTypes),
  find: async (reader, key) => ruleToSource(await findRule(reader, key)),
  hold: async (tx, key) => ruleToSource(await holdRule(tx, key)),
  offError: () => automationErrors.rule_disabled(),
};
