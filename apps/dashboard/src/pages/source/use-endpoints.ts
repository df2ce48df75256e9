import { useQuery } from '@tanstack/react-query';
import { useTRPC, useTRPCClient, type Endpoint, type ServiceClient } from '../../trpc.ts';
import { subscriptionName, type Source } from './source.ts';

/** A rule or subscription with the numbers of its endpoint. */
export type EndpointSource = Source & Omit<Endpoint, 'kind' | 'enabled' | 'halted' | 'name'>;

const pageSize = 100;
/** The newest endpoints of a workspace that are shown. */
export const endpointsMax = 1000;

/** The endpoints of the workspace, those in trouble first. One call for each hundred. */
export function useEndpoints({ isEnabled = true }: { isEnabled?: boolean } = {}) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  return useQuery({
    queryKey: trpc.endpoints.list.queryKey({}),
    queryFn: ({ signal }) => readEndpoints(client, signal),
    enabled: isEnabled,
  });
}

async function readEndpoints(client: ServiceClient, signal: AbortSignal): Promise<EndpointSource[]> {
  const endpoints: Endpoint[] = [];
  let cursor: string | undefined;
  do {
    // oxlint-disable-next-line no-await-in-loop -- a cursor is known after its page
    const page = await client.endpoints.list.query({ limit: pageSize, cursor }, { signal });
    endpoints.push(...page.data);
    cursor = page.pagination.nextCursor ?? undefined;
  } while (cursor !== undefined && endpoints.length < endpointsMax);
  return endpoints.map(endpointToSource).toSorted(byTrouble);
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
  return waiting > 0 || health.failuresInARow > 0 ? 2 : 3;
}

/** In trouble first; of the same rank, the one with more waiting deliveries. */
export const byTrouble = (a: EndpointSource, b: EndpointSource): number =>
  rankOf(a) - rankOf(b) || b.waiting - a.waiting || a.name.localeCompare(b.name);
