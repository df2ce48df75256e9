import { Text } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import type { ReactNode } from 'react';
import type { ApiCall } from '../../../api-call.ts';
import { CopyableId } from '../../../components/copy.tsx';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { failureOf } from '../../../failure.ts';
import { focusFirstProblem } from '../../../focus.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import type { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useAdaptiveSearch } from '../use-tab-search.ts';

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
    <DialogForm
      draft={draft}
      submit={storedId === undefined ? `Create ${noun}` : 'Save'}
      isPending={isPending}
      isDisabled={storedId !== undefined && !isDirty}
      error={error}
      renderFailure={(failure) => (
        <GraphFailure error={failure} shownPaths={Object.keys(comparison.labels)} />
      )}
      apiCall={apiCall}
      onSubmit={form.onSubmit(save, focusFirstProblem)}
      onCancel={() => close()}
    >
      {children}
      {storedId === undefined ? null : (
        <div>
          <CopyableId id={storedId} name={`${noun} id`} />
        </div>
      )}
      <ConflictDialog conflict={conflict} {...comparison} />
    </DialogForm>
  );
}

interface GraphFailureProps {
  error: unknown;
  /** Paths that the form shows beside its fields. */
  shownPaths?: readonly string[];
}

/** A refused change of a graph. Problems of a published webinar are sentences with names, so their paths are left out. */
export function GraphFailure({ error, shownPaths }: GraphFailureProps) {
  const { code, issues } = failureOf(error);
  if (code !== 'webinar_not_publishable') return <FailureNotice error={error} shownPaths={shownPaths} />;
  return (
    <Notice tone="bad">
      <Text size="sm" fw={550}>
        Nothing was changed. In the published webinar, viewers would meet a problem:
      </Text>
      {issues.map(({ message }) => (
        <Text key={message} size="sm" style={{ overflowWrap: 'anywhere' }}>
          {message}
        </Text>
      ))}
    </Notice>
  );
}
