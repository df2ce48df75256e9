// The values of unsaved forms survive the end of a sign-in session and a reload of the page. They are in the storage of this
// tab only in between, and under the id of the user, so that another person who signs in does not get them.
import { useEffect, useRef, useState } from 'react';
import { draftPrefix } from './kept-drafts.ts';
import { useWorkspace } from './workspace.ts';

/** The part of Mantine's form that a draft needs. The values must be JSON. */
interface DraftableForm<Values> {
  getValues(): Values;
  isDirty(): boolean;
  setValues(values: Partial<Values>): void;
  reset(): void;
}

export interface FormDraft {
  /** True while the form has restored values that are not saved. `DraftNotice` shows it. */
  isRestored: boolean;
  /** Returns the form to its first values. */
  discard(): void;
}

/** Longer drafts are not kept. The storage of a tab has about 5 MB. */
const lengthMax = 500_000;

/** Each saves the values of one open form. */
const savers = new Set<() => void>();

/**
 * Keeps the values of a form, and restores them when the same form of the same user opens again. `name` must differ for each
 * form and record, such as `rule:${ruleId}`. Not for forms with passwords or secrets.
 */
export function useFormDraft<Values extends object>(name: string, form: DraftableForm<Values>): FormDraft {
  const { user, workspace } = useWorkspace();
  const key = `${draftPrefix}${user.id}:${workspace.id}:${name}`;
  const [kept] = useState(() => readDraft(key) as Values | undefined);
  const [isRestored, setRestored] = useState(kept !== undefined);
  const latest = useRef(form);

  useEffect(() => {
    latest.current = form;
  });

  useEffect(() => {
    if (kept) latest.current.setValues(kept);
  }, [kept]);

  useEffect(() => {
    const save = (): void => {
      if (latest.current.isDirty()) writeDraft(key, latest.current.getValues());
    };
    savers.add(save);
    window.addEventListener('pagehide', save);
    return () => {
      window.removeEventListener('pagehide', save);
      // A saver that keepDrafts has removed leaves its draft.
      if (savers.delete(save)) sessionStorage.removeItem(key);
    };
  }, [key]);

  return {
    isRestored: isRestored && form.isDirty(),
    discard() {
      setRestored(false);
      form.reset();
    },
  };
}

/** Called when the sign-in session has ended, before the page of the forms is left. */
export function keepDrafts(): void {
  for (const save of savers) save();
  savers.clear();
}

function readDraft(key: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(key) ?? '');
  } catch {
    return undefined;
  }
}

function writeDraft(key: string, values: unknown): void {
  const text = JSON.stringify(values);
  if (text.length > lengthMax) return;
  try {
    sessionStorage.setItem(key, text);
  } catch {
    // The storage is full or switched off.
  }
}
