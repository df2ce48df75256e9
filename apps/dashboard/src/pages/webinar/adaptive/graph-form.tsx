import { Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { ApiCall } from '../../../api-call.ts';
import { CopyableId } from '../../../components/copy.tsx';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { focusFirstProblem } from '../../../focus.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import type { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useAdaptiveSearch } from '../use-tab-search.ts';
import { GraphFailure } from './graph-failure.tsx';

interface GraphFormProps<Values extends object> {
  form: UseFormReturnType<Values>;
  saving: Pick<
    ReturnType<typeof usePanelSave<object, Values, object, unknown>>,
    'save' | 'draft' | 'isPending' | 'error' | 'conflict'
  >;
  noun: 'segment' | 'branch';
  /** Undefined for a new record. */
  storedId: string | undefined;
  /** Names of the fields by path. */
  labels: Record<string, string>;
  /** The values of the comparison of two edits that are no texts. */
  describe?: (path: string, value: unknown) => string | undefined;
  apiCall: ApiCall;
  onDirty: (isDirty: boolean) => void;
  children: ReactNode;
}

/** The frame of the form of a segment or branch. */
export function GraphForm<Values extends object>({
  form,
  saving: { save, draft, isPending, error, conflict },
  noun,
  storedId,
  apiCall,
  onDirty,
  children,
  ...comparison
}: GraphFormProps<Values>) {
  const { close } = useAdaptiveSearch();
  const isDirty = form.isDirty();
  useReportDirty(isDirty, onDirty);
  return (
    <form onSubmit={form.onSubmit(save, focusFirstProblem)} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        {children}
        {storedId === undefined ? null : (
          <div>
            <CopyableId id={storedId} name={`${noun} id`} />
          </div>
        )}
        {error ? <GraphFailure error={error} shownPaths={Object.keys(comparison.labels)} /> : null}
        <FormActions
          submit={storedId === undefined ? `Create ${noun}` : 'Save'}
          isPending={isPending}
          isDisabled={storedId !== undefined && !isDirty}
          apiCall={apiCall}
          onCancel={() => close()}
        />
      </Stack>
      <ConflictDialog conflict={conflict} {...comparison} />
    </form>
  );
}
