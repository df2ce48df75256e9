import { useMutation } from '@tanstack/react-query';
import { useTRPCClient, type Branch } from '../../../trpc.ts';
import { toBody, type BranchValues } from './branch-values.ts';
import { useAdaptiveSearch } from './use-adaptive-search.ts';
import { useGraphChanged } from './use-graph.ts';

interface SaveOptions {
  /** Absent for a new one. */
  stored: Branch | undefined;
  /** Of a new one: after all others of its segment. */
  priority: number;
  onSaved: () => void;
}

/** Creates or changes a branch. */
export function useSaveBranch({ stored, priority, onSaved }: SaveOptions) {
  const { branches } = useTRPCClient().segments;
  const { webinarId } = useAdaptiveSearch();
  const changed = useGraphChanged();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (values: BranchValues) =>
      stored
        ? branches.update.mutate({ webinarId, branchId: stored.id, ...toBody(values) })
        : branches.create.mutate({ webinarId, priority, ...toBody(values) }),
    onSuccess: async () => {
      await changed();
      onSaved();
    },
  });
  const save = (values: BranchValues, onError: (refusal: unknown) => void) => mutate(values, { onError });
  return { save, isPending, error };
}
