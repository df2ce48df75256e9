import { createId, type AccountReader, type AccountWriter } from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { automationErrors } from './errors.ts';
import { Rule } from './rule.ts';
import type { CreateRuleInput, RuleInput, RuleOutput } from './schemas.ts';

/** Dashboard rules a webinar may have; it also bounds the list. */
const rulesMax = 100;

type RuleDescription = z.input<typeof RuleOutput>;

/** Makes a dashboard rule with an endpoint of its own. Throws webinar_not_found, webhook_limit_reached. */
export async function createRule(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof CreateRuleInput>,
): Promise<RuleDescription & { secret: string }> {
  const webinar = await findWebinar(tx, input.webinarId);
  const standalone = { accountId: tx.accountId, webinarId: webinar.id, subscriptionId: null };
  if ((await tx.em.count(Rule, standalone)) >= rulesMax) throw automationErrors.webhook_limit_reached();
  const { endpointId, secret, secretLast4 } = await deliveries.createEndpoint(tx, { url: input.url });
  const rule = tx.em.create(Rule, {
    ...standalone,
    id: createId(),
    name: input.name,
    enabled: input.enabled,
    triggerType: 'registered',
    endpointId,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  return { ...ruleToOutput(rule, { url: input.url, secretLast4 }), secret };
}

export async function listRules(
  reader: AccountReader,
  deliveries: Deliveries,
  webinarId: string,
): Promise<RuleDescription[]> {
  const webinar = await findWebinar(reader, webinarId);
  const rules = await reader.em.find(
    Rule,
    { accountId: reader.accountId, webinarId: webinar.id, subscriptionId: null },
    { orderBy: { id: 'desc' } },
  );
  return describeRules(reader, deliveries, rules);
}

/** A dashboard rule. Throws webinar_not_found, rule_not_found. */
export async function findRule(
  reader: AccountReader,
  { webinarId, ruleId }: z.output<typeof RuleInput>,
): Promise<Rule> {
  const webinar = await findWebinar(reader, webinarId);
  const rule = await reader.em.findOne(Rule, {
    accountId: reader.accountId,
    id: ruleId,
    webinarId: webinar.id,
    subscriptionId: null,
  });
  if (!rule) throw automationErrors.rule_not_found();
  return rule;
}

export async function describeRules(
  reader: AccountReader,
  deliveries: Deliveries,
  rules: readonly Rule[],
): Promise<RuleDescription[]> {
  const endpoints = await deliveries.endpoints(
    reader,
    rules.map((rule) => rule.endpointId),
  );
  return rules.map((rule) => ruleToOutput(rule, endpoints.get(rule.endpointId)!));
}

/** Removes a rule; what still waits to be delivered is cancelled. */
export async function deleteRule(tx: AccountWriter, deliveries: Deliveries, rule: Rule): Promise<void> {
  await tx.em.nativeDelete(Rule, { accountId: tx.accountId, id: rule.id });
  await deliveries.deleteEndpoint(tx, rule.endpointId);
}

const ruleToOutput = (rule: Rule, endpoint: { url: string; secretLast4: string }): RuleDescription => ({
  id: rule.id,
  name: rule.name,
  enabled: rule.enabled,
  trigger: { type: 'registered' },
  action: { type: 'webhook', url: endpoint.url },
  secretLast4: endpoint.secretLast4,
  createdAt: rule.createdAt.toISOString(),
});
