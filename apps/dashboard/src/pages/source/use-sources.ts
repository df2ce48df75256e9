import { skipToken, useQuery } from '@tanstack/react-query';
import { listAll } from '../../list-all.ts';
import { useTRPC, useTRPCClient, type Endpoint, type ListedDelivery } from '../../trpc.ts';
import type { DeliveryScope } from '../delivery/use-deliveries.ts';
import { kindWords, ruleToSource, subscriptionName, webhookToSource, type Source } from './source.ts';

/** The limit of rules, and of subscriptions, of a webinar. */
const sourcesMax = 100;

/** All rules of a webinar. Reads nothing without one. */
export function useRules(webinarId: string | undefined) {
  const trpc = useTRPC();
  return useQuery(
    trpc.automations.rules.list.queryOptions(
      webinarId === undefined ? skipToken : { webinarId, limit: sourcesMax },
    ),
  );
}

/** All subscriptions of a webinar. Reads nothing without one. */
export function useWebhooks(webinarId: string | undefined) {
  const trpc = useTRPC();
  return useQuery(
    trpc.webhooks.list.queryOptions(webinarId === undefined ? skipToken : { webinarId, limit: sourcesMax }),
  );
}

/** A rule or subscription with the numbers of its endpoint. */
export type EndpointSource = Source & Omit<Endpoint, 'kind' | 'enabled' | 'halted' | 'name'>;

/** The newest endpoints of a workspace that are shown. */
export const endpointsMax = 1000;

/** The endpoints of the workspace or of one webinar, those in trouble first. One call for each hundred. */
export function useEndpoints({
  isEnabled = true,
  webinarId,
}: { isEnabled?: boolean; webinarId?: string } = {}) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  return useQuery({
    queryKey: trpc.endpoints.list.queryKey({ webinarId }),
    queryFn: async ({ signal }) => {
      const endpoints = await listAll(
        (page) => client.endpoints.list.query({ ...page, webinarId }, { signal }),
        endpointsMax,
      );
      return endpoints.map(endpointToSource).toSorted(byTrouble);
    },
    enabled: isEnabled,
  });
}

/** Waiting deliveries by the id of their rule or subscription, of one webinar. */
export function useWaitingCounts(webinarId: string): ReadonlyMap<string, number> {
  const { data = [] } = useEndpoints({ webinarId });
  return new Map(data.map(({ id, waiting }) => [id, waiting]));
}

const endpointToSource = ({ enabled, halted, ...endpoint }: Endpoint): EndpointSource => ({
  ...endpoint,
  kind: endpoint.kind === 'rule' ? 'rule' : 'webhook',
  name:
    endpoint.kind === 'rule'
      ? (endpoint.name ?? endpoint.url)
      : subscriptionName({ description: endpoint.name, url: endpoint.url }),
  description: endpoint.kind === 'rule' ? null : endpoint.name,
  isEnabled: enabled,
  isHalted: halted,
});

/** Lower comes first. */
function rankOf({ isEnabled, isHalted, health, waiting }: EndpointSource): number {
  if (!isEnabled) return 4;
  if (isHalted) return 2;
  if (health.status === 'paused') return 0;
  if (health.status === 'failing') return 1;
  return waiting > 0 || health.failuresInARow > 0 || health.untriedSinceChange ? 2 : 3;
}

/** In trouble first; of the same rank, the one with more waiting deliveries. */
export const byTrouble = (a: EndpointSource, b: EndpointSource): number =>
  rankOf(a) - rankOf(b) || b.waiting - a.waiting || a.name.localeCompare(b.name);

/** The rules and subscriptions of a webinar, or of the workspace. */
export function useNamedSources(webinarId: string | undefined): readonly Pick<Source, 'id' | 'name'>[] {
  const rules = useRules(webinarId).data?.data ?? [];
  const webhooks = useWebhooks(webinarId).data?.data ?? [];
  const all = useEndpoints({ isEnabled: webinarId === undefined }).data ?? [];
  return webinarId === undefined
    ? all
    : [...rules.flatMap((rule) => ruleToSource(rule) ?? []), ...webhooks.map(webhookToSource)];
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
