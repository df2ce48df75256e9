import type { SentenceValue } from '@service/conditions';
import { useQuery } from '@tanstack/react-query';
import { formatCount, formatPlural } from '../../../format.ts';
import { useTRPC, type Connection, type MarketingTool } from '../../../trpc.ts';

export type SyncSettings = NonNullable<Connection['settings']['sync']>;

/** The marketing tools that can be connected. They change with the service only. */
export function useTools() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.connections.tools.queryOptions(undefined, { staleTime: Infinity }),
  );
  return { tools: data?.data, error, refetch };
}

/** The tool of a connection. Undefined until it is loaded. */
export function useTool({ provider }: Pick<Connection, 'provider'>): MarketingTool | undefined {
  return useTools().tools?.find((tool) => tool.provider === provider);
}

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

/** When a field of a tool is set. */
export const policies = [
  { value: 'always', label: 'Always' },
  { value: 'if_empty', label: 'Only if empty' },
  { value: 'at_creation', label: 'Only new contacts' },
] as const;

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

/** "3 people". Beyond what is counted: "100,000 people or more". */
export const waitingText = (people: number): string =>
  people >= waitingMax ? `${formatCount(people)} people or more` : formatPlural(people, 'person', 'people');

const waitingMax = 100_000;
