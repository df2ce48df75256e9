import { Button, Group, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import type { ReactNode } from 'react';
import type { ApiCall } from '../api-call.ts';
import { DraftNotice } from '../components/dialog-form.tsx';
import { FailureNotice } from '../components/failure-notice.tsx';
import { ShowApiCall } from '../components/show-api-call.tsx';
import { UnsavedGuard } from '../components/unsaved-guard.tsx';
import { failureOf } from '../failure.ts';
import { ConflictDialog } from './conflict-dialog.tsx';
import styles from './record-form.module.css';
import type { RecordForm } from './use-record-form.ts';

interface RecordFormFrameProps<Values> {
  record: RecordForm<Values>;
  /** Name of the form, for screen readers. */
  name: string;
  /** Names of fields by path, as the form shows them. */
  labels: Record<string, string>;
  describe?: (path: string, value: unknown) => string | undefined;
  /** True for a field that shows its own message. By default: for all in `labels`. */
  showsMessage?: (path: string) => boolean;
  /** The call that Save sends. */
  apiCall?: ApiCall;
  children: ReactNode;
}

/** The frame of a record's form: the bar with Save, the conflict of two people, and the guard of unsaved changes. */
export function RecordFormFrame<Values extends object>({
  record,
  name,
  labels,
  describe,
  showsMessage,
  apiCall,
  children,
}: RecordFormFrameProps<Values>) {
  const { draft, isDirty, error, conflict, submit } = record;
  // Corrected fields count too: their messages are gone, and the notice must not show them again.
  const refusedPaths = error ? failureOf(error).issues.map(({ path }) => path) : [];
  useHotkeys([['mod+S', submit]], []);
  return (
    <form
      aria-label={name}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <Stack gap="lg">
        <DraftNotice draft={draft} />
        {children}
        {error ? (
          <FailureNotice
            error={error}
            shownPaths={refusedPaths.filter(showsMessage ?? ((path) => path in labels))}
          />
        ) : null}
      </Stack>
      <SaveBar
        state={stateOf(record)}
        isDirty={isDirty}
        isSaving={record.isSaving}
        onDiscard={record.discard}
      >
        {apiCall ? <ShowApiCall call={apiCall} of="this form" /> : null}
      </SaveBar>
      <ConflictDialog conflict={conflict} labels={labels} describe={describe} />
      <UnsavedGuard isDirty={isDirty} />
    </form>
  );
}

function stateOf<Values>({ isDirty, isSaved, shownPaths }: RecordForm<Values>): string {
  if (isDirty && shownPaths.length > 0)
    return shownPaths.length === 1 ? 'One field has a problem' : `${shownPaths.length} fields have problems`;
  if (isDirty) return 'Unsaved changes';
  return isSaved ? 'Saved' : 'No unsaved changes';
}

interface SaveBarProps {
  /** Such as "Unsaved changes". */
  state: string;
  isDirty: boolean;
  isSaving: boolean;
  onDiscard: () => void;
  /** Beside the buttons. */
  children?: ReactNode;
}

/** The bar below a form: its state, Discard and Save. */
function SaveBar({ state, isDirty, isSaving, onDiscard, children }: SaveBarProps) {
  return (
    <div className={styles['bar']} data-dirty={isDirty || undefined}>
      <span className={styles['state']} role="status">
        {state}
      </span>
      <Group gap="xs" wrap="nowrap">
        {children}
        {isDirty ? (
          <Button variant="default" onClick={onDiscard} disabled={isSaving}>
            Discard
          </Button>
        ) : null}
        <Button
          type="submit"
          loading={isSaving}
          data-disabled={!isDirty || undefined}
          aria-disabled={!isDirty}
        >
          Save
        </Button>
      </Group>
    </div>
  );
}
