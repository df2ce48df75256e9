// Arguments with which every tool can be called in the world of `createEverything`.
import type { Tool } from '@service/mcp';
import type { Route } from '@service/rest';
import type { Everything } from './everything.ts';

/** Ids that tools take, by argument. The recovery and the delivery are those of the rule. */
export const idsOf = ({ ids }: Everything): Record<string, string | undefined> => ({
  webinarId: ids['webinarId'],
  sessionId: ids['sessionId'],
  registrationId: ids['registrationId'],
  interactionId: ids['interactionId'],
  clickedInteractionId: ids['interactionId'],
  ruleId: ids['ruleId'],
  subscriptionId: ids['webhookId'],
  deliveryId: ids['automations'],
  recoveryId: ids['automations/recoveries'],
  revenueEventId: ids['revenueEventId'],
});

/** The ids that a tool requires, and the fields that its route has in the body. */
export function argumentsOf(
  { procedure, listed }: Tool,
  routes: readonly Route[],
  everything: Everything,
): Record<string, unknown> {
  const route = routes.find((known) => known.procedure === procedure.procedure);
  const body = route && everything.bodies[`${route.method} ${route.template}`];
  const required = (listed.inputSchema['required'] ?? []) as string[];
  const ids = Object.entries(idsOf(everything)).filter(([name]) => required.includes(name));
  return { ...Object.fromEntries(ids), ...(body as object | undefined) };
}

/** True for a tool that reads or changes one thing, which may belong to another account. */
export const namesARecord = ({ listed }: Tool): boolean =>
  ((listed.inputSchema['required'] ?? []) as string[]).some((name) => name.endsWith('Id'));
