// Rules and bodies that carry revenue: purchases and refunds, with or without their amounts. To have them sent to a URL, or to read
// them, a client needs the scope `revenue:read` as well.
import { purchaseEventTypes } from '@service/attendees';
import type { Scope } from '@service/catalogue';
import { isRevenueField } from '@service/conditions';

/** The parts of a rule that decide whether it carries revenue. They may come from a body that has not been validated. */
interface RuleParts {
  trigger?: unknown;
  conditions?: unknown;
}

/**
 * True if webhooks of the rule show who bought something or got a refund: by the trigger, by an event that its params name, or by a
 * condition on a field that says so.
 */
export function carriesRevenue({ trigger, conditions }: RuleParts): boolean {
  const { type, params } = membersOf(trigger);
  return (
    [type, ...Object.values(membersOf(params))].some(isRevenueEvent) ||
    (Array.isArray(conditions) &&
      conditions.some((condition) => isRevenueField(membersOf(condition)['field'])))
  );
}

/** The scopes that a rule of a body needs beside those of its procedure. */
export const scopesOfDraft = (draft: RuleParts): readonly Scope[] => (carriesRevenue(draft) ? revenue : []);

/** The scopes that a stored rule needs for everything that sends its webhooks somewhere. */
export const scopesOfRule = (rule: { carriesRevenue: boolean }): readonly Scope[] =>
  rule.carriesRevenue ? revenue : [];

const revenue: readonly Scope[] = ['revenue:read'];

/** True if the body of a webhook is about a purchase or a refund, or about the time since one. */
export function isAboutRevenue(body: string): boolean {
  const { event_type: type, event_data: data } = JSON.parse(body) as Record<string, unknown>;
  return [type, membersOf(data)['sourceEvent']].some(isRevenueEvent);
}

export const isRevenueEvent = (type: unknown): boolean =>
  (purchaseEventTypes as readonly unknown[]).includes(type);

const membersOf = (value: unknown): Record<string, unknown> =>
  typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
