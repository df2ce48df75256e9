import type { UseFormReturnType } from '@mantine/form';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPCClient, type Branch } from '../../../trpc.ts';
import { toBody, toValues, type BranchValues } from './branch-values.ts';
import { useAdaptiveSearch } from './use-adaptive-search.ts';
import { useGraphChanged } from './use-graph.ts';

interface SaveOptions {
  form: UseFormReturnType<BranchValues>;
  /** Absent for a new one. */
  stored: Branch | undefined;
  fromSegmentId: string;
  /** Of a new one: after all others of its segment. */
  priority: number;
  onSaved: () => void;
}

/** Creates or changes a branch. */
export function useSaveBranch({ form, stored, fromSegmentId, priority, onSaved }: SaveOptions) {
  const { branches } = useTRPCClient().segments;
  const { webinarId } = useAdaptiveSearch();
  const changed = useGraphChanged();
  return usePanelSave({
    name: `branch:${webinarId}:${stored?.id ?? `from ${fromSegmentId}`}`,
    form,
    stored,
    valuesOf: toValues,
    bodyOf: toBody,
    create: (body) => branches.create.mutate({ webinarId, priority, ...body }),
    update: (changes, context) =>
      branches.update.mutate({ webinarId, branchId: stored!.id, ...changes }, { context }),
    onSaved: async () => {
      await changed();
      onSaved();
    },
  });
}

/** Names of the fields, for the comparison of two people's changes. */
export const branchLabels: Record<keyof BranchValues, string> = {
  fromSegmentId: 'From',
  toSegmentId: 'Leads to',
  label: 'Name',
  via: 'Taken by',
  conditions: 'Conditions',
  promptText: 'Question',
  promptAtSeconds: 'Offered from',
  choiceTimeoutSeconds: 'Seconds to choose',
};
