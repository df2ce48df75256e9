import type { ListedDelivery } from '../../trpc.ts';
import type { DeliveryScope } from '../delivery/delivery-scope.ts';
import { kindWords, ruleToSource, webhookToSource, type Source } from './source.ts';
import { useEndpoints } from './use-endpoints.ts';
import { useRules, useWebhooks } from './use-sources.ts';

/** The rules and subscriptions of a webinar, or of the workspace. */
export function useNamedSources(webinarId: string | undefined): readonly Pick<Source, 'id' | 'name'>[] {
  const rules = useRules(webinarId).data?.data ?? [];
  const webhooks = useWebhooks(webinarId).data?.data ?? [];
  const all = useEndpoints({ isEnabled: webinarId === undefined }).data ?? [];
  return webinarId === undefined ? all : [...rules.map(ruleToSource), ...webhooks.map(webhookToSource)];
}

/** Names the source of a delivery in a list. A subscription without a description is named by its URL, which the list lacks. */
export function useSourceNames({ webinarId, source: own }: DeliveryScope) {
  const sources = useNamedSources(webinarId ?? own?.webinarId);
  const names = new Map(sources.map(({ id, name }) => [id, name]));
  return (source: ListedDelivery['source']): string => {
    if (!source) return 'Deleted';
    return names.get(source.id) ?? source.name ?? `${kindWords[source.kind]} …${source.id.slice(-12)}`;
  };
}
