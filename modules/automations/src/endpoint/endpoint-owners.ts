// Rules and subscriptions own endpoints: each has one. Lists call them the sources of deliveries.
import {
  column,
  highestId,
  idTime,
  nullable,
  statement,
  type AccountReader,
  type RowsOf,
} from '@service/database';
import { findRegistrants } from '@service/attendees';
import type { Deliveries, DeliveryOutput } from '@service/deliveries';
import { AppError } from '@service/errors';
import { cursorId, toPage } from '@service/trpc';
import { findShownIds, findWebinar, loadWebinars, type Webinar } from '@service/webinars';
import type { z } from 'zod';
import { Rule, Subscription } from '../entities.ts';
import { automationErrors } from '../errors.ts';
import type { EventType } from '../event-type/event-types.ts';
import type {
  EndpointOutput,
  FoundSource,
  ListEndpointsInput,
  SourceFilter,
  SourceOutput,
} from './list-schemas.ts';

type Source = z.input<typeof SourceOutput>;

/** The filter of `deliveries.list` for the endpoints of a webinar or source; none for the whole account. */
type EndpointFilter = { endpointId?: string } | { endpointIds: string[]; group: string };

/** Throws webinar_not_found, rule_not_found. */
export async function findEndpoints(
  reader: AccountReader,
  { webinarId, sourceId }: z.output<typeof SourceFilter>,
): Promise<EndpointFilter> {
  const { em, accountId } = reader;
  const where = { accountId, ...(webinarId && { webinarId }) };
  if (sourceId !== undefined) {
    if (webinarId !== undefined) await findWebinar(reader, webinarId);
    const source =
      (await em.findOne(Rule, { ...where, id: sourceId, subscriptionId: null })) ??
      (await em.findOne(Subscription, { ...where, id: sourceId }));
    if (!source) throw automationErrors.rule_not_found();
    await findWebinar(reader, source.webinarId);
    return endpointFilter(source.endpointId);
  }
  if (webinarId === undefined) return {};
  return { endpointIds: [...(await findEndpointsOfWebinar(reader, webinarId)).keys()], group: webinarId };
}

/** A rule without a webhook has no endpoint, and so no deliveries. */
const endpointFilter = (endpointId: string | null | undefined): EndpointFilter =>
  endpointId ? { endpointId } : { endpointIds: [], group: 'none' };

/** The ids of the rules and subscriptions of a webinar, by endpoint. Throws webinar_not_found. */
export async function findEndpointsOfWebinar(
  reader: AccountReader,
  webinarId: string,
): Promise<Map<string, string>> {
  await findWebinar(reader, webinarId);
  const where = { accountId: reader.accountId, webinarId };
  const fields = ['endpointId'] as const;
  const rules = await reader.em.find(
    Rule,
    { ...where, subscriptionId: null, endpointId: { $ne: null } },
    { fields },
  );
  const subscriptions = await reader.em.find(Subscription, where, { fields });
  return new Map([...rules, ...subscriptions].map(({ endpointId, id }) => [endpointId!, id]));
}

/** By endpoint. Leaves out endpoints that were deleted. */
export async function findSources(
  { em, accountId }: Pick<AccountReader, 'em' | 'accountId'>,
  endpointIds: readonly string[],
): Promise<Map<string, Source>> {
  if (endpointIds.length === 0) return new Map();
  const where = { accountId, endpointId: { $in: [...new Set(endpointIds)] } };
  const rules = await em.find(Rule, { ...where, subscriptionId: null });
  const subscriptions = await em.find(Subscription, where);
  return new Map<string, Source>([
    ...rules.map(({ id, webinarId, endpointId, name, enabled }): [string, Source] => [
      endpointId!,
      { kind: 'rule', id, webinarId, name, enabled },
    ]),
    ...subscriptions.map(({ id, webinarId, endpointId, description, active }): [string, Source] => [
      endpointId,
      { kind: 'webhook', id, webinarId, name: description ?? null, enabled: active },
    ]),
  ]);
}

/**
 * Adds their sources to deliveries; null for one that was deleted. Leaves out those of webinars that the reader does not find. A test of
 * a source that was deleted is left out too: no registration says which webinar it belongs to.
 */
export async function withSources<Delivery extends DeliveryOutput & { endpointId: string }>(
  reader: AccountReader,
  deliveries: readonly Delivery[],
): Promise<(Delivery & { source: Source | null })[]> {
  const sources = await findSources(
    reader,
    deliveries.map(({ endpointId }) => endpointId),
  );
  const orphans = deliveries.filter(({ endpointId }) => !sources.has(endpointId));
  const registrationIds = [...new Set(orphans.flatMap(({ registrationId }) => registrationId ?? []))];
  const registrants = registrationIds.length > 0 ? await findRegistrants(reader, registrationIds) : [];
  const webinarByRegistration = new Map(registrants.map(({ id, webinarId }) => [id, webinarId]));
  const webinarOf = ({ endpointId, registrationId }: Delivery): string | undefined =>
    sources.get(endpointId)?.webinarId ?? webinarByRegistration.get(registrationId ?? '');
  const shown = await findShownIds(
    reader,
    deliveries.flatMap((delivery) => webinarOf(delivery) ?? []),
  );
  return deliveries
    .filter((delivery) => shown.has(webinarOf(delivery) ?? ''))
    .map((delivery) => ({ ...delivery, source: sources.get(delivery.endpointId) ?? null }));
}

// $1 account, $2 webinar or null, $3 before this id, $4 limit.
const selectSources = statement({
  text: `
    select * from (
      (select id, webinar_id as "webinarId", endpoint_id as "endpointId", 'rule' as kind, name, enabled, trigger_type as "eventType"
       from automations.rule
       where account_id = $1 and subscription_id is null and endpoint_id is not null and ($2::uuid is null or webinar_id = $2) and id < $3
       order by id desc limit $4)
      union all
      (select id, webinar_id, endpoint_id, 'subscription', description, active, null
       from automations.subscription
       where account_id = $1 and ($2::uuid is null or webinar_id = $2) and id < $3
       order by id desc limit $4)
    ) source order by id desc limit $4`,
  row: {
    id: column.id,
    webinarId: column.id,
    endpointId: column.id,
    kind: column.textOf<'rule' | 'subscription'>(),
    name: nullable(column.text),
    enabled: column.boolean,
    eventType: nullable(column.textOf<EventType>()),
  },
});

/**
 * Rules and subscriptions, newest first, with the state of their endpoints. Leaves out those of archived and deleted webinars, so a
 * page may be short and still have a next page.
 */
export async function listEndpoints(
  reader: AccountReader,
  deliveries: Deliveries,
  { webinarId, limit, cursor }: z.output<typeof ListEndpointsInput>,
) {
  const { accountId } = reader;
  const scope = { list: 'endpoints', accountId, filters: { webinarId } };
  const before = cursorId(cursor, scope) ?? highestId;
  const sources = await reader.query(selectSources, [accountId, webinarId ?? null, before, limit + 1]);
  const page = toPage(sources, { limit, scope, toItem: (source) => source });
  const describe = await loadDetails(reader, deliveries, page.data);
  return { ...page, data: page.data.flatMap((source) => describe(source) ?? []) };
}

type SourceRow = RowsOf<typeof selectSources>;

async function loadDetails(reader: AccountReader, deliveries: Deliveries, sources: readonly SourceRow[]) {
  const endpointIds = sources.map(({ endpointId }) => endpointId);
  const webinarIds = [...new Set(sources.map(({ webinarId }) => webinarId))];
  const keys = webinarIds.map((id) => ({ accountId: reader.accountId, id }));
  const webinars = await loadWebinars(reader.query, keys);
  const endpoints = await deliveries.endpoints(reader, endpointIds);
  const statistics = await deliveries.statistics(reader, endpointIds);
  const typesBySubscription = await eventTypesOf(reader, sources);
  return ({ eventType, endpointId, ...source }: SourceRow): z.input<typeof EndpointOutput> | undefined => {
    const webinar = webinars.get(source.webinarId);
    const endpoint = endpoints.get(endpointId);
    if (!webinar || !endpoint || isGone(webinar)) return undefined;
    const { url, halted, health } = endpoint;
    return {
      ...source,
      webinarTitle: webinar.title,
      url,
      eventTypes: eventType ? [eventType] : (typesBySubscription.get(source.id) ?? []),
      halted,
      health,
      createdAt: idTime(source.id).toISOString(),
      ...statistics.get(endpointId)!,
    };
  };
}

const isGone = ({ status }: Webinar): boolean => status === 'archived' || status === 'deleted';

async function eventTypesOf(
  { em, accountId }: AccountReader,
  sources: readonly SourceRow[],
): Promise<Map<string, EventType[]>> {
  const ids = sources.filter(({ kind }) => kind === 'subscription').map(({ id }) => id);
  if (ids.length === 0) return new Map();
  const rules = await em.find(Rule, { accountId, subscriptionId: { $in: ids } });
  const bySubscription = Map.groupBy(rules, ({ subscriptionId }) => subscriptionId!);
  return new Map([...bySubscription].map(([id, own]) => [id, own.map(({ triggerType }) => triggerType)]));
}

/** The rule or subscription that an endpoint belongs to, with its webinar. */
export type EndpointOwner =
  | { kind: 'rule'; webinarId: string; ruleId: string; name: string }
  | { kind: 'subscription'; webinarId: string; subscriptionId: string; description: string | null };

/** Finds the owner of an endpoint of the account. Undefined if the owner was deleted or belongs to another account. */
export async function findEndpointOwner(
  { em, accountId }: Pick<AccountReader, 'em' | 'accountId'>,
  endpointId: string,
): Promise<EndpointOwner | undefined> {
  const rule = await em.findOne(Rule, { accountId, endpointId, subscriptionId: null });
  if (rule) return { kind: 'rule', webinarId: rule.webinarId, ruleId: rule.id, name: rule.name };
  const subscription = await em.findOne(Subscription, { accountId, endpointId });
  if (!subscription) return undefined;
  const { webinarId, id, description } = subscription;
  return { kind: 'subscription', webinarId, subscriptionId: id, description: description ?? null };
}

type Found = z.input<typeof FoundSource>;

/** Finds the rule or subscription of an id that a person pasted: its own, or that of one of its deliveries. Null: there is none. */
export async function findById(
  reader: AccountReader,
  deliveries: Pick<Deliveries, 'endpointOf'>,
  id: string,
): Promise<Found | null> {
  const { em, accountId } = reader;
  const rule = await em.findOne(Rule, { accountId, id });
  if (rule) return sourceOf(rule, null);
  const subscription = await em.findOne(Subscription, { accountId, id });
  if (subscription)
    return {
      kind: 'webhook',
      id,
      webinarId: subscription.webinarId,
      hasEndpoint: true,
      deliveryId: null,
    };
  const endpointId = await deliveries.endpointOf(reader, id).catch(undefinedIfUnknown);
  const sender = endpointId === undefined ? null : await em.findOne(Rule, { accountId, endpointId });
  return sender && sourceOf(sender, id);
}

function sourceOf({ id, subscriptionId, webinarId, endpointId }: Rule, deliveryId: string | null): Found {
  const found = { webinarId, hasEndpoint: Boolean(endpointId), deliveryId };
  return subscriptionId ? { kind: 'webhook', id: subscriptionId, ...found } : { kind: 'rule', id, ...found };
}

function undefinedIfUnknown(error: unknown): undefined {
  if (error instanceof AppError && error.code === 'delivery_not_found') return undefined;
  throw error;
}
