// The connections to marketing tools, as rules, executions and the page of a webinar name them.
import type { SentenceValue } from '@service/conditions';
import { useQuery } from '@tanstack/react-query';
import { formatPlural } from '../../../format.ts';
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

/** "Every registrant is kept in step: 6 fields, 6 tags." */
export function inStepText({ settings: { sync } }: Connection): string {
  if (!sync?.enabled) return 'Only rules update contacts.';
  const parts = [
    formatPlural(Object.keys(sync.fields).length, 'field'),
    ...(sync.tags.use.length > 0 ? [formatPlural(sync.tags.use.length, 'tag')] : []),
    ...(sync.lists.length > 0 ? [formatPlural(sync.lists.length, 'list')] : []),
  ];
  return `Every registrant is kept in step: ${parts.join(', ')}.`;
}
