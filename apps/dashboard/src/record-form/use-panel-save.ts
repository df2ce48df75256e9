// Saving the form of a panel, which creates a record or changes one. A change is sent with If-Match, as in the forms of pages.
import type { UseFormReturnType } from '@mantine/form';
import { versionOf } from '@service/trpc/version';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { currentOf, failureOf } from '../failure.ts';
import { useFormDraft } from '../form-draft.ts';
import { changedFields, mergeEdits, savedOf } from './edits.ts';
import type { Conflict } from './use-record-form.ts';

interface PanelSaveOptions<Stored extends object, Values extends object, Body extends object, Created> {
  /** Of the draft: differs for each form and record. */
  name: string;
  form: UseFormReturnType<Values>;
  /** Absent for a new record. */
  stored: Stored | undefined;
  valuesOf: (stored: Stored) => Values;
  bodyOf: (values: Values) => Body;
  create: (body: Body) => Promise<Created>;
  /** Sends the changed fields. `ifMatch` belongs into the context of the call. `from`: the record that is changed. */
  update: (changes: Partial<Body>, context: { ifMatch: string }, from: Stored) => Promise<unknown>;
  /** `created` is undefined after a change. */
  onSaved: (created: Created | undefined) => void | Promise<unknown>;
  /** Objects of the values that are compared as a whole. */
  whole?: readonly string[];
  /** The field of a path in the API, where the form has other paths. */
  fieldOf?: (path: string) => string;
}

interface Edit<Values, Stored> {
  values: Values;
  /** The record that the edit began with. */
  from: Stored | undefined;
}

export function usePanelSave<Stored extends object, Values extends object, Body extends object, Created>({
  name,
  form,
  stored,
  valuesOf,
  bodyOf,
  create,
  update,
  onSaved,
  whole,
  fieldOf = (path) => path,
}: PanelSaveOptions<Stored, Values, Body, Created>) {
  const [base, setBase] = useState(stored);
  const [theirs, setTheirs] = useState<Stored>();
  const mutation = useMutation({
    mutationFn: async ({ values, from }: Edit<Values, Stored>) => {
      if (!from) return create(bodyOf(values));
      const changes = changedFields(bodyOf(valuesOf(from)), bodyOf(values));
      if (Object.keys(changes).length > 0) await update(changes, { ifMatch: versionOf(from) }, from);
      return undefined;
    },
    onSuccess: (created) => onSaved(created),
    onError: (refusal) => {
      const current = currentOf(refusal) as Stored | undefined;
      if (current) return setTheirs(current);
      const problems = failureOf(refusal).issues.map(({ path, message }) => [fieldOf(path), message]);
      return form.setErrors(Object.fromEntries(problems));
    },
  });

  const beginWith = (record: Stored, values: Values) => {
    setBase(record);
    setTheirs(undefined);
    form.setInitialValues(valuesOf(record));
    form.setValues(values);
  };
  // A draft keeps the record that its edit began with, so a change by another person meanwhile is a conflict, too.
  const draft = useFormDraft(name, {
    getValues: () => ({ base, values: form.getValues() }),
    isDirty: () => form.isDirty(),
    setValues(kept) {
      if (kept.base && kept.values) beginWith(kept.base, kept.values);
      else if (kept.values) form.setValues(kept.values);
    },
    reset: () => form.reset(),
  });
  const conflict: Conflict<Values> | undefined =
    base && theirs
      ? {
          base: valuesOf(base),
          mine: form.values,
          theirs: valuesOf(theirs),
          saved: savedOf(theirs),
          whole,
          resolve(keepsMine) {
            const edits = { base: valuesOf(base), mine: form.values, theirs: valuesOf(theirs), whole };
            const merged = mergeEdits(edits, keepsMine);
            beginWith(theirs, merged);
            mutation.mutate({ values: merged, from: theirs });
          },
          takeTheirs() {
            beginWith(theirs, valuesOf(theirs));
            mutation.reset();
          },
          close: () => setTheirs(undefined),
        }
      : undefined;
  const body = bodyOf(form.values);
  return {
    draft,
    /** The fields that Save sends: of a change only the changed ones. */
    body: base ? changedFields(bodyOf(valuesOf(base)), body) : body,
    save: (values: Values) => mutation.mutate({ values, from: base }),
    isPending: mutation.isPending,
    /** A refusal other than the conflict, which has a dialog. */
    error: currentOf(mutation.error) ? null : mutation.error,
    conflict,
  };
}
