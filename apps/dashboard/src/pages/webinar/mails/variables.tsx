// The variables of the text of an e-mail, which a click inserts.
import { Title } from '@mantine/core';
import { useRef } from 'react';
import { flushSync } from 'react-dom';
import type { WebinarMails } from '../../../trpc.ts';
import styles from './mails.module.css';

interface VariablesProps {
  variables: WebinarMails['variables'];
  onInsert: (name: string) => void;
}

/** The variables with their samples. A click inserts one into the field that had the focus last. */
export const Variables = ({ variables, onInsert }: VariablesProps) => (
  <section aria-label="Variables">
    <Title order={3}>Variables</Title>
    <p className={styles['hint']}>Click one to insert it where the cursor is.</p>
    <ul className={styles['variables']}>
      {variables.map(({ name, description, sample }) => (
        <li key={name} title={description}>
          <button
            type="button"
            className={styles['variable']}
            aria-label={`Insert ${name}`}
            onClick={() => onInsert(name)}
          >
            <code>{`{{${name}}}`}</code>
          </button>
          <span className={styles['sample']}>{sample}</span>
        </li>
      ))}
    </ul>
  </section>
);

type TextField = HTMLInputElement | HTMLTextAreaElement;

interface InsertionOptions {
  /** The paths of the fields that take variables. */
  paths: readonly string[];
  /** Of the field that takes one before any field had the focus. */
  defaultPath: string;
  setValue: (path: string, value: string) => void;
}

/** Inserts variables at the cursor of a field. */
export function useInsertion({ paths, defaultPath, setValue }: InsertionOptions) {
  const last = useRef<TextField>(undefined);
  return {
    onFocus(target: EventTarget) {
      const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
      if (isText && paths.includes(target.dataset['path'] ?? '')) last.current = target;
    },
    insert(name: string) {
      const field =
        last.current ?? document.querySelector<HTMLTextAreaElement>(`textarea[data-path="${defaultPath}"]`);
      if (!field) return;
      const { value, selectionStart, selectionEnd } = field;
      const start = selectionStart ?? value.length;
      const inserted = `{{${name}}}`;
      const next = value.slice(0, start) + inserted + value.slice(selectionEnd ?? start);
      // The cursor moves to the end when React writes the value, so it is placed after that.
      flushSync(() => setValue(field.dataset['path']!, next));
      field.focus();
      field.setSelectionRange(start + inserted.length, start + inserted.length);
    },
  };
}
