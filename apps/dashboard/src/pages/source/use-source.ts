import { useQuery, useQueryClient, type QueryKey } from '@tanstack/react-query';
import { useMemo } from 'react';
import { useTRPC, useTRPCClient } from '../../trpc.ts';
import { sourceCalls } from './source-calls.ts';
import type { SourceRef } from './source.ts';

/** The calls about a source, with query keys below those of rules and subscriptions, so that a change of these invalidates both. */
export function useSourceCalls({ kind, webinarId, id }: SourceRef) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  return useMemo(() => {
    const root: QueryKey = (kind === 'rule' ? trpc.automations.rules : trpc.webhooks).pathKey();
    return {
      ...sourceCalls(client, { kind, webinarId, id }),
      keyOf: (...what: unknown[]): QueryKey => [...root, id, ...what],
      invalidate: () => queryClient.invalidateQueries({ queryKey: root }),
    };
  }, [client, id, kind, queryClient, trpc, webinarId]);
}

/** The rule or subscription. */
export function useSource(ref: SourceRef) {
  const { get, keyOf } = useSourceCalls(ref);
  return useQuery({ queryKey: keyOf('source'), queryFn: get });
}
