// Rules and subscriptions as the sources of deliveries: a source has one endpoint.
import type { AccountReader } from '@service/database';
import { findWebinar } from '@service/webinars';
import type { z } from 'zod';
import { Rule, Subscription } from '../entities.ts';
import { automationErrors } from '../errors.ts';
import type { SourceFilter, SourceOutput } from './source-schemas.ts';

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
    return { endpointId: source.endpointId };
  }
  if (webinarId === undefined) return {};
  return { endpointIds: [...(await findEndpointsOfWebinar(reader, webinarId)).keys()], group: webinarId };
}

/** The ids of the rules and subscriptions of a webinar, by endpoint. Throws webinar_not_found. */
export async function findEndpointsOfWebinar(
  reader: AccountReader,
  webinarId: string,
): Promise<Map<string, string>> {
  await findWebinar(reader, webinarId);
  const where = { accountId: reader.accountId, webinarId };
  const fields = ['endpointId'] as const;
  const rules = await reader.em.find(Rule, { ...where, subscriptionId: null }, { fields });
  const subscriptions = await reader.em.find(Subscription, where, { fields });
  return new Map([...rules, ...subscriptions].map(({ endpointId, id }) => [endpointId, id]));
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
      endpointId,
      { kind: 'rule', id, webinarId, name, enabled },
    ]),
    ...subscriptions.map(({ id, webinarId, endpointId, description, active }): [string, Source] => [
      endpointId,
      { kind: 'webhook', id, webinarId, name: description ?? null, enabled: active },
    ]),
  ]);
}
