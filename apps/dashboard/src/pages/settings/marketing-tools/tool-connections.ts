// The connections to marketing tools, as rules, executions and the page of a webinar name them.
import type { SentenceValue } from '@service/conditions';
import { useQuery } from '@tanstack/react-query';
import { useTRPC, type Connection } from '../../../trpc.ts';

/** The connections to marketing tools. Undefined until they are loaded. */
export function useToolConnections() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.connections.list.queryOptions({}));
  return { connections: data?.data.filter(({ kind }) => kind === 'marketing'), error, refetch };
}

/** The name of one of the connections, for sentences. */
export function connectionName(
  connections: readonly Connection[] | undefined,
  connectionId: string,
): SentenceValue {
  if (!connections) return { text: '…' };
  const found = connections.find(({ id }) => id === connectionId);
  return found ? { text: found.name } : { text: 'a removed marketing tool', isMissing: true };
}
