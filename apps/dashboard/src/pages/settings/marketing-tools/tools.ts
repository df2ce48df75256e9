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
