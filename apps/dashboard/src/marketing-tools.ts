// The marketing tools of the workspace, as rules, executions and people name them.
import type { SentenceValue } from '@service/conditions';
import { skipToken, useQuery } from '@tanstack/react-query';
import { useTRPC, type Catalogue, type Connection, type MarketingTool } from './trpc.ts';

/** The settings of marketing tools. */
export const toolsPage = '/w/$workspaceId/settings/marketing-tools' as '/w/$workspaceId/settings/email';

/** The connections to marketing tools. Undefined until they are loaded. */
export function useMarketingTools() {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.connections.list.queryOptions({}));
  return { tools: data?.data.filter(({ kind }) => kind === 'marketing'), error, refetch };
}

export function toolName(tools: readonly Connection[] | undefined, connectionId: string): SentenceValue {
  if (!tools) return { text: '…' };
  const found = tools.find(({ id }) => id === connectionId);
  return found ? { text: found.name } : { text: 'a removed marketing tool', isMissing: true };
}

/** The abilities and the words of the tool of a connection. Undefined until they are loaded. */
export function useToolAbilities(tool: Connection | undefined): MarketingTool | undefined {
  const trpc = useTRPC();
  const { data } = useQuery(trpc.connections.tools.queryOptions(undefined, { staleTime: Infinity }));
  return data?.data.find(({ provider }) => provider === tool?.provider);
}

const catalogueFreshMs = 300_000;

/** The fields, tags and lists that the tool has. */
export function useCatalogue(connectionId: string | undefined) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(
    trpc.connections.catalogue.queryOptions(connectionId === undefined ? skipToken : { connectionId }, {
      staleTime: catalogueFreshMs,
      retry: false,
      trpc: { context: { isSlow: true } },
    }),
  );
  return { catalogue: data?.data as Catalogue | undefined, error, refetch };
}
