import {
  column,
  highestId,
  idTime,
  nullable,
  statement,
  type AccountReader,
  type RowsOf,
} from '@service/database';
import type { Deliveries } from '@service/deliveries';
import { cursorId, toPage } from '@service/trpc';
import { loadWebinars, type Webinar } from '@service/webinars';
import type { z } from 'zod';
import { Rule } from '../entities.ts';
import type { EventType } from '../event-type/event-types.ts';
import type { EndpointOutput, ListEndpointsInput } from './source-schemas.ts';

// $1 account, $2 webinar or null, $3 before this id, $4 limit.
const selectSources = statement({
  text: `
    select * from (
      (select id, webinar_id as "webinarId", endpoint_id as "endpointId", 'rule' as kind, name, enabled, trigger_type as "eventType"
       from automations.rule
       where account_id = $1 and subscription_id is null and ($2::uuid is null or webinar_id = $2) and id < $3
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
