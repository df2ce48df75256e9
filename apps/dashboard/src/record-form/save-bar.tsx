import { Button, Group } from '@mantine/core';
import type { ReactNode } from 'react';
import styles from './save-bar.module.css';

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
export function SaveBar({ state, isDirty, isSaving, onDiscard, children }: SaveBarProps) {
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
