// Saving the form of a panel, which creates a record or changes one. A change is sent with If-Match, as in the forms of pages.
import type { UseFormReturnType } from '@mantine/form';
import { versionOf } from '@service/trpc/version';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { failureOf } from '../failure.ts';
import { changedFields, mergeEdits } from './edits.ts';
import { currentOf, type Conflict } from './use-record-form.ts';

interface PanelSaveOptions<Stored extends object, Values extends object, Body extends object> {
  form: UseFormReturnType<Values>;
  /** Absent for a new record. */
  stored: Stored | undefined;
  valuesOf: (stored: Stored) => Values;
  bodyOf: (values: Values) => Body;
  create: (body: Body) => Promise<unknown>;
  /** Sends the changed fields. `ifMatch` belongs into the context of the call. */
  update: (changes: Partial<Body>, context: { ifMatch: string }) => Promise<unknown>;
  onSaved: () => void | Promise<unknown>;
}

interface Edit<Values, Stored> {
  values: Values;
  /** The record that the edit began with. */
  from: Stored | undefined;
}

export function usePanelSave<Stored extends object, Values extends object, Body extends object>({
  form,
  stored,
  valuesOf,
  bodyOf,
  create,
  update,
  onSaved,
}: PanelSaveOptions<Stored, Values, Body>) {
  const [base, setBase] = useState(stored);
  const [theirs, setTheirs] = useState<Stored>();
  const mutation = useMutation({
    mutationFn: async ({ values, from }: Edit<Values, Stored>) => {
      if (!from) return create(bodyOf(values));
      const changes = changedFields(bodyOf(valuesOf(from)), bodyOf(values));
      return Object.keys(changes).length === 0 ? undefined : update(changes, { ifMatch: versionOf(from) });
    },
    onSuccess: onSaved,
    onError: (refusal) => {
      const current = currentOf(refusal) as Stored | undefined;
      if (current) return setTheirs(current);
      const problems = failureOf(refusal).issues.map(({ path, message }) => [path, message]);
      return form.setErrors(Object.fromEntries(problems));
    },
  });

  const beginWith = (record: Stored, values: Values) => {
    setBase(record);
    setTheirs(undefined);
    form.setInitialValues(valuesOf(record));
    form.setValues(values);
  };
  const conflict: Conflict<Values> | undefined =
    base && theirs
      ? {
          base: valuesOf(base),
          mine: form.values,
          theirs: valuesOf(theirs),
          resolve(keepsMine) {
            const edits = { base: valuesOf(base), mine: form.values, theirs: valuesOf(theirs) };
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
    /** The fields that Save sends: of a change only the changed ones. */
    body: base ? changedFields(bodyOf(valuesOf(base)), body) : body,
    save: (values: Values) => mutation.mutate({ values, from: base }),
    isPending: mutation.isPending,
    /** A refusal other than the conflict, which has a dialog. */
    error: currentOf(mutation.error) ? null : mutation.error,
    conflict,
  };
}
