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
import { cancelRuleMails } from '@service/mails';
import { cursorId, toPage } from '@service/trpc';
import { findWebinar } from '@service/webinars';
import { isDeepStrictEqual } from 'node:util';
import type { z } from 'zod';
import { Rule, ruleRow, type FireMode } from '../entities.ts';
import { automationErrors } from '../errors.ts';
import { notifyRulesChanged } from '../evaluation/rule-cache.ts';
import { carriesRevenue } from '../event-type/carries-revenue.ts';
import { hasFireMode, type EventType, type Trigger } from '../event-type/event-types.ts';
import { lastFiredAt } from '../execution/executions.ts';
import { deleteRuleTimers, rescheduleRuleTimers } from '../timer/schedule-timers.ts';
import { actionsOf, fireModeIssue, requireRecords, type GivenActions } from './problems-of-rule.ts';
import type {
  ActionsInput,
  CreateRuleInput,
  ListRulesInput,
  RuleInput,
  RuleOutput,
  UpdatedRuleOutput,
  UpdateRuleInput,
} from './schemas.ts';

/** Limit of standalone rules in a webinar. */
const rulesMax = 100;

type RuleDescription = z.input<typeof RuleOutput>;

/** Creates a rule, with an endpoint if it has a webhook. Throws webinar_not_found, webhook_limit_reached, delivery_backlog_full. */
export async function createRule(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof CreateRuleInput>,
): Promise<RuleDescription & { secret: string | null }> {
  const actions = actionsOf(input)!;
  const url = urlOf(actions);
  if (url !== undefined) await deliveries.requireRoom(tx);
  const webinar = await findWebinar(tx, input.webinarId);
  const fireMode = fireModeOf(input.trigger.type, input.fireMode);
  const standalone = { accountId: tx.accountId, webinarId: webinar.id, subscriptionId: null };
  await lockLimit(tx, `automations.rule ${webinar.id}`);
  if ((await tx.em.count(Rule, standalone)) >= rulesMax) throw automationErrors.webhook_limit_reached();
  const { enabled } = input;
  const { trigger } = input;
  await requireRecords(tx, { webinarId: webinar.id, trigger, actions });
  const identified = identifyActions(actions, { endpointId: null, emails: [], integrations: [] });
  const endpoint = url === undefined ? undefined : await deliveries.createEndpoint(tx, { url, enabled });
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
    endpointId: endpoint?.endpointId ?? null,
    ...identified,
    secretRotatedAt: endpoint ? tx.now : null,
    createdAt: tx.now,
    updatedAt: tx.now,
  });
  await tx.em.flush();
  notifyRulesChanged(tx, webinar.id);
  await rescheduleRuleTimers(tx, rule);
  const [description] = await describeRules(tx, deliveries, [rule]);
  return { ...description!, secret: endpoint?.secret ?? null };
}

const urlOf = (actions: ActionsInput): string | undefined =>
  actions.flatMap((action) => (action.type === 'webhook' ? action.url : []))[0];

/** The URL of an input and its field. */
export function destinationOf({
  action,
  actions = [],
}: GivenActions): { url: string; path: string } | undefined {
  if (action) return { url: action.url, path: 'action.url' };
  const index = actions.findIndex(({ type }) => type === 'webhook');
  const webhook = actions[index];
  return webhook?.type === 'webhook' ? { url: webhook.url, path: `actions.${index}.url` } : undefined;
}

/** The actions of an input as a rule stores them, without its webhook. Throws validation_failed for the id of an action that the rule has not. */
function identifyActions(
  actions: ActionsInput,
  { endpointId, emails, integrations }: Pick<Rule, 'endpointId' | 'emails' | 'integrations'>,
): Pick<Rule, 'emails' | 'emailTexts' | 'integrations'> {
  const known = {
    webhook: [endpointId],
    email: emails.map((email) => email.id),
    integration: integrations.map((integration) => integration.id),
  };
  const issues = actions.flatMap(({ type, id }, index) =>
    id === undefined || (known[type] as unknown[]).includes(id)
      ? []
      : [{ path: `actions.${index}.id`, message: `The rule has no ${type} action with this id.` }],
  );
  if (issues.length > 0) throw commonErrors.validation_failed({ issues });
  const identified = actions.flatMap((action) =>
    action.type === 'email' ? [{ ...action, id: action.id ?? createId() }] : [],
  );
  return {
    emails: identified.map(({ id, to, purpose, attachCalendar }) => ({ id, to, purpose, attachCalendar })),
    emailTexts: Object.fromEntries(identified.map(({ id, subject, text }) => [id, { subject, text }])),
    integrations: actions.flatMap((action) => {
      if (action.type !== 'integration') return [];
      const { type: _type, id = createId(), ...contact } = action;
      return [{ id, ...contact }];
    }),
  };
}

const selectPage = statement({
  name: 'automations.select_page_of_rules',
  text: withinBytes(
    `select * from automations.rule
     where account_id = $1 and webinar_id = $2 and subscription_id is null and ($3::uuid is null or id < $3)
     order by id desc limit $4`,
    { wide: ['conditions', 'trigger_params', 'email_texts'], orderBy: 'id desc' },
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
  requireEnabled(rule);
  return rule;
}

/** Throws rule_disabled. */
export function requireEnabled({ enabled }: Rule): void {
  if (!enabled) throw automationErrors.rule_disabled();
}

/** Throws rule_without_webhook. */
export function requireWebhook(rule: Rule): Rule & { endpointId: string } {
  const { endpointId } = rule;
  if (!endpointId) throw automationErrors.rule_without_webhook();
  return Object.assign(rule, { endpointId });
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
  const endpointIds = rules.flatMap((rule) => rule.endpointId ?? []);
  const ruleIds = rules.map((rule) => rule.id);
  const [endpoints, firedAt] = await Promise.all([
    deliveries.endpoints(reader, endpointIds),
    lastFiredAt(reader, ruleIds),
  ]);
  return rules.flatMap((rule) => {
    const endpoint = rule.endpointId ? endpoints.get(rule.endpointId) : null;
    const lastFired = firedAt.get(rule.id)?.toISOString() ?? null;
    return endpoint !== undefined ? [{ ...ruleToOutput(rule, endpoint), lastFiredAt: lastFired }] : [];
  });
}

/**
 * Replaces the given fields of a locked rule. Switching it off cancels its waiting mails, and cancels and counts its waiting deliveries;
 * halting it keeps deliveries.
 */
export async function updateRule(
  tx: AccountWriter,
  deliveries: Deliveries,
  { rule, ...input }: z.output<typeof UpdateRuleInput> & { rule: Rule },
): Promise<z.input<typeof UpdatedRuleOutput>> {
  const { name, enabled, halted, trigger, conditions } = input;
  const isSwitched = enabled !== undefined && enabled !== rule.enabled;
  if (name !== undefined) rule.name = name;
  if (isSwitched) rule.enabled = enabled;
  // A rule keeps a trigger whose interaction was deleted.
  const isSameTrigger = isDeepStrictEqual(trigger, { type: rule.triggerType, params: rule.triggerParams });
  await requireRecords(tx, {
    webinarId: rule.webinarId,
    trigger: isSameTrigger ? undefined : trigger,
    actions: input.actions,
  });
  const cancelledMails = replaceActions(rule, input);
  if (isSwitched && !enabled) {
    rule.generation += 1;
    cancelledMails.push(...rule.emails.map((email) => email.id));
  }
  const secret = await replaceWebhook(tx, deliveries, { rule, input });
  if (conditions) rule.conditions = conditions;
  if (trigger) Object.assign(rule, { triggerType: trigger.type, triggerParams: trigger.params });
  rule.carriesRevenue ||= carriesRevenue(input);
  rule.fireMode = fireModeOf(rule.triggerType, input.fireMode, rule.fireMode ?? undefined);
  rule.updatedAt = tx.now;
  await tx.em.flush();
  notifyRulesChanged(tx, rule.webinarId);
  await rescheduleRuleTimers(tx, rule);
  await cancelRuleMails(tx, cancelledMails);
  const { endpointId } = rule;
  if (halted !== undefined && !endpointId) throw commonErrors.validation_failed({ issues: [haltedIssue] });
  const cancelledDeliveries =
    isSwitched && endpointId ? await deliveries.setEnabled(tx, endpointId, enabled) : null;
  if (halted !== undefined && endpointId) await deliveries.setHalted(tx, endpointId, halted);
  const [description] = await describeRules(tx, deliveries, [rule]);
  return { ...description!, cancelledDeliveries, ...(secret !== undefined && { secret }) };
}

const haltedIssue: Issue = { path: 'halted', message: 'Only for rules with a webhook.' };

/** Returns the ids of the e-mail actions that are gone. */
function replaceActions(rule: Rule, { actions }: GivenActions): string[] {
  if (!actions) return [];
  const former = rule.emails;
  Object.assign(rule, identifyActions(actions, rule));
  const kept = new Set(rule.emails.map((email) => email.id));
  return former.map((email) => email.id).filter((id) => !kept.has(id));
}

/** Moves, adds or deletes the endpoint of a rule. Returns the secret of a new one. */
async function replaceWebhook(
  tx: AccountWriter,
  deliveries: Deliveries,
  { rule, input }: { rule: Rule; input: GivenActions },
): Promise<string | undefined> {
  const actions = actionsOf(input);
  if (!actions) return undefined;
  const url = urlOf(actions);
  const { endpointId } = rule;
  if (url !== undefined && endpointId) await deliveries.moveEndpoint(tx, endpointId, url);
  if (url === undefined && endpointId) {
    await deliveries.deleteEndpoint(tx, endpointId);
    Object.assign(rule, { endpointId: null, secretRotatedAt: null });
  }
  if (url === undefined || endpointId) return undefined;
  await deliveries.requireRoom(tx);
  const made = await deliveries.createEndpoint(tx, { url, enabled: rule.enabled });
  Object.assign(rule, { endpointId: made.endpointId, secretRotatedAt: tx.now });
  return made.secret;
}

/** Replaces the secret of a locked rule at once, also for retries. Throws rule_without_webhook. */
export async function rotateRuleSecret(tx: AccountWriter, deliveries: Deliveries, locked: Rule) {
  const rule = requireWebhook(locked);
  rule.secretRotatedAt = tx.now;
  rule.updatedAt = tx.now;
  await tx.em.flush();
  const rotated = await deliveries.rotateSecret(tx, rule.endpointId);
  return { id: rule.id, ...rotated, secretRotatedAt: tx.now.toISOString() };
}

/** Deletes a rule. Its waiting deliveries and mails are cancelled. */
export async function deleteRule(
  tx: AccountWriter,
  deliveries: Deliveries,
  input: z.output<typeof RuleInput>,
): Promise<void> {
  const rule = await lockRule(tx, input);
  await tx.em.nativeDelete(Rule, { accountId: tx.accountId, id: rule.id });
  notifyRulesChanged(tx, rule.webinarId);
  deleteRuleTimers(tx, rule.id);
  await cancelRuleMails(
    tx,
    rule.emails.map((email) => email.id),
  );
  if (rule.endpointId) await deliveries.deleteEndpoint(tx, rule.endpointId);
}

/** Null unless the trigger has a fire mode. Throws validation_failed if one is given for another trigger. */
function fireModeOf(triggerType: EventType, given?: FireMode, before?: FireMode): FireMode | null {
  if (hasFireMode(triggerType)) return given ?? before ?? 'once_per_session';
  if (given === undefined) return null;
  throw commonErrors.validation_failed({ issues: [fireModeIssue] });
}

const ruleToOutput = (
  rule: Rule,
  endpoint: EndpointSummary | null,
): Omit<RuleDescription, 'lastFiredAt'> => ({
  id: rule.id,
  webinarId: rule.webinarId,
  name: rule.name,
  enabled: rule.enabled,
  halted: endpoint?.halted ?? false,
  trigger: { type: rule.triggerType, params: rule.triggerParams } as Trigger,
  conditions: rule.conditions,
  fireMode: rule.fireMode ?? null,
  action: endpoint && { type: 'webhook', url: endpoint.url },
  actions: [
    ...(endpoint ? [{ id: endpoint.id, type: 'webhook' as const, url: endpoint.url }] : []),
    ...rule.emails.map((email) => ({ ...email, type: 'email' as const, ...rule.emailTexts[email.id]! })),
    ...rule.integrations.map((integration) => ({ ...integration, type: 'integration' as const })),
  ],
  health: endpoint && endpoint.health,
  secretLast4: endpoint && endpoint.secretLast4,
  secretRotatedAt: endpoint && (rule.secretRotatedAt ?? rule.createdAt).toISOString(),
  createdAt: rule.createdAt.toISOString(),
  updatedAt: rule.updatedAt.toISOString(),
});
