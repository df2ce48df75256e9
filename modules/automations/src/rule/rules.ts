import { LockMode } from '@mikro-orm/postgresql';
import {
  createId,
  lockLimit,
  statement,
  withinBytes,
  withinBytesColumns,
  type AccountReader,
  type AccountWriter,
} from '@service/database';
import type { Deliveries, EndpointSummary } from '@service/deliveries';
import { commonErrors, type Issue } from '@service/errors';
import { cursorId, issuesOf, toPage } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { Rule, ruleRow, type FireMode } from '../entities.ts';
import { automationErrors } from '../errors.ts';
import { notifyRulesChanged } from '../evaluation/rule-cache.ts';
import { carriesRevenue } from '../event-type/carries-revenue.ts';
import { hasFireMode, type EventType, type Trigger } from '../event-type/event-types.ts';
import { lastFiredAt } from '../execution/executions.ts';
import { deleteRuleTimers, rescheduleRuleTimers } from '../timer/schedule-timers.ts';
import {
  CreateRuleInput,
  type CheckRuleInput,
  type ListRulesInput,
  type RuleInput,
  type RuleOutput,
  type UpdatedRuleOutput,
  type UpdateRuleInput,
} from './schemas.ts';

/** Limit of standalone rules in a webinar. */
const rulesMax = 100;

type RuleDescription = z.input<typeof RuleOutput>;

/** Creates a rule and its endpoint. Throws webinar_not_found, webhook_limit_reached, delivery_backlog_full. */
export async function createRule(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof CreateRuleInput>,
): Promise<RuleDescription & { secret: string }> {
  await deliveries.requireRoom(tx);
  const webinar = await findWebinar(tx, input.webinarId);
  const fireMode = fireModeOf(input.trigger.type, input.fireMode);
  const standalone = { accountId: tx.accountId, webinarId: webinar.id, subscriptionId: null };
  await lockLimit(tx, `automations.rule ${webinar.id}`);
  if ((await tx.em.count(Rule, standalone)) >= rulesMax) throw automationErrors.webhook_limit_reached();
  const { enabled, action } = input;
  const { endpointId, secret } = await deliveries.createEndpoint(tx, { url: action.url, enabled });
  const rule = tx.em.create(Rule, {
    ...standalone,
    id: createId(),
    name: input.name,
    enabled,
    triggerType: input.trigger.type,
    triggerParams: input.trigger.params,
    conditions: input.conditions,
    fireMode,
    carriesRevenue: carriesRevenue(input),
    endpointId,
    secretRotatedAt: tx.now,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  notifyRulesChanged(tx, webinar.id);
  await rescheduleRuleTimers(tx, rule);
  const [description] = await describeRules(tx, deliveries, [rule]);
  return { ...description!, secret };
}

const selectPage = statement({
  name: 'automations.select_page_of_rules',
  text: withinBytes(
    `select * from automations.rule
     where account_id = $1 and webinar_id = $2 and subscription_id is null and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    { wide: ['conditions', 'trigger_params'], orderBy: 'id desc' },
  ),
  row: { ...ruleRow.columns, ...withinBytesColumns },
});

/** Lists standalone rules, newest first. */
export async function listRules(
  reader: AccountReader,
  deliveries: Deliveries,
  { webinarId, limit, cursor }: z.output<typeof ListRulesInput>,
) {
  const webinar = await findWebinar(reader, webinarId);
  const filters = { webinarId: webinar.id };
  const scope = { list: 'rules', accountId: reader.accountId, filters };
  const after = cursorId(cursor, scope);
  const rows = await reader.query(selectPage, [reader.accountId, webinar.id, after ?? null, limit + 1]);
  const page = toPage(rows, { limit, scope, found: rows[0]?.found, toItem: ruleRow.toEntity });
  return { ...page, data: await describeRules(reader, deliveries, page.data) };
}

/** Finds a standalone rule. Throws webinar_not_found, rule_not_found. */
export const findRule = (reader: AccountReader, input: z.output<typeof RuleInput>): Promise<Rule> =>
  find(reader, input);

/** Finds a standalone rule and locks its row, so that changes of one rule run one after the other. */
export const lockRule = (tx: AccountWriter, input: z.output<typeof RuleInput>): Promise<Rule> =>
  find(tx, input, LockMode.PESSIMISTIC_WRITE);

/** Also throws rule_disabled. */
export async function lockEnabledRule(tx: AccountWriter, input: z.output<typeof RuleInput>): Promise<Rule> {
  const rule = await lockRule(tx, input);
  if (!rule.enabled) throw automationErrors.rule_disabled();
  return rule;
}

/** Below /api/v1. */
export const rulePath = ({ webinarId, id }: Pick<Rule, 'webinarId' | 'id'>) =>
  `/webinars/${webinarId}/automations/${id}` as const;

async function find(
  reader: AccountReader,
  { webinarId, ruleId }: z.output<typeof RuleInput>,
  lockMode?: LockMode,
): Promise<Rule> {
  const webinar = await findWebinar(reader, webinarId);
  const rule = await reader.em.findOne(
    Rule,
    { accountId: reader.accountId, id: ruleId, webinarId: webinar.id, subscriptionId: null },
    { lockMode },
  );
  if (!rule) throw automationErrors.rule_not_found();
  return rule;
}

/** Adds URL, health and last firing to rules. Leaves out a rule that was deleted in the meantime. Never returns the secret. */
export async function describeRules(
  reader: AccountReader,
  deliveries: Deliveries,
  rules: readonly Rule[],
): Promise<RuleDescription[]> {
  const endpointIds = rules.map((rule) => rule.endpointId);
  const ruleIds = rules.map((rule) => rule.id);
  const [endpoints, firedAt] = await Promise.all([
    deliveries.endpoints(reader, endpointIds),
    lastFiredAt(reader, ruleIds),
  ]);
  return rules.flatMap((rule) => {
    const endpoint = endpoints.get(rule.endpointId);
    const lastFired = firedAt.get(rule.id)?.toISOString() ?? null;
    return endpoint ? [{ ...ruleToOutput(rule, endpoint), lastFiredAt: lastFired }] : [];
  });
}

/** Replaces the given fields of a locked rule. Switching it off cancels and counts its waiting deliveries; halting it keeps them. */
export async function updateRule(
  tx: AccountWriter,
  deliveries: Deliveries,
  { rule, ...input }: z.output<typeof UpdateRuleInput> & { rule: Rule },
): Promise<z.input<typeof UpdatedRuleOutput>> {
  const { name, enabled, halted, trigger, conditions, action } = input;
  const isSwitched = enabled !== undefined && enabled !== rule.enabled;
  if (name !== undefined) rule.name = name;
  if (isSwitched) rule.enabled = enabled;
  if (conditions) rule.conditions = conditions;
  if (trigger) Object.assign(rule, { triggerType: trigger.type, triggerParams: trigger.params });
  rule.carriesRevenue ||= carriesRevenue(input);
  rule.fireMode = fireModeOf(rule.triggerType, input.fireMode, rule.fireMode ?? undefined);
  rule.updatedAt = tx.now;
  await tx.em.flush();
  notifyRulesChanged(tx, rule.webinarId);
  await rescheduleRuleTimers(tx, rule);
  if (action) await deliveries.moveEndpoint(tx, rule.endpointId, action.url);
  const cancelledDeliveries = isSwitched ? await deliveries.setEnabled(tx, rule.endpointId, enabled) : null;
  if (halted !== undefined) await deliveries.setHalted(tx, rule.endpointId, halted);
  const [description] = await describeRules(tx, deliveries, [rule]);
  return { ...description!, cancelledDeliveries };
}

/** Replaces the secret at once, also for retries. */
export async function rotateRuleSecret(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof RuleInput>,
) {
  const rule = await lockRule(tx, input);
  rule.secretRotatedAt = tx.now;
  rule.updatedAt = tx.now;
  await tx.em.flush();
  const rotated = await deliveries.rotateSecret(tx, rule.endpointId);
  return { id: rule.id, ...rotated, secretRotatedAt: tx.now.toISOString() };
}

/** Deletes a rule. Its waiting deliveries are cancelled. */
export async function deleteRule(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof RuleInput>,
): Promise<void> {
  const rule = await lockRule(tx, input);
  await tx.em.nativeDelete(Rule, { accountId: tx.accountId, id: rule.id });
  notifyRulesChanged(tx, rule.webinarId);
  deleteRuleTimers(tx, rule.id);
  await deliveries.deleteEndpoint(tx, rule.endpointId);
}

/** Null unless the trigger has a fire mode. Throws validation_failed if one is given for another trigger. */
function fireModeOf(triggerType: EventType, given?: FireMode, before?: FireMode): FireMode | null {
  if (hasFireMode(triggerType)) return given ?? before ?? 'once_per_session';
  if (given === undefined) return null;
  throw commonErrors.validation_failed({ issues: [fireModeIssue] });
}

const ruleToOutput = (rule: Rule, endpoint: EndpointSummary): Omit<RuleDescription, 'lastFiredAt'> => ({
  id: rule.id,
  webinarId: rule.webinarId,
  name: rule.name,
  enabled: rule.enabled,
  halted: endpoint.halted,
  trigger: { type: rule.triggerType, params: rule.triggerParams } as Trigger,
  conditions: rule.conditions,
  fireMode: rule.fireMode ?? null,
  action: { type: 'webhook', url: endpoint.url },
  health: endpoint.health,
  secretLast4: endpoint.secretLast4,
  secretRotatedAt: (rule.secretRotatedAt ?? rule.createdAt).toISOString(),
  createdAt: rule.createdAt.toISOString(),
  updatedAt: rule.updatedAt.toISOString(),
});

/** All problems that creating or changing a rule would refuse, except for those of its URL's host. */
export function problemsOfRule({ webinarId, draft }: z.output<typeof CheckRuleInput>): Issue[] {
  const { data, error } = CreateRuleInput.safeParse({ ...draft, webinarId });
  if (error) return issuesOf(error);
  const hasProblem = data.fireMode !== undefined && !hasFireMode(data.trigger.type);
  return hasProblem ? [fireModeIssue] : [];
}

export const fireModeIssue: Issue = {
  path: 'fireMode',
  message: 'Only for rules with the trigger chat_response.',
};
