// The form of one record that people edit: checked with the API's schema while they type, saved with If-Match, so that two people
// never overwrite each other without seeing it.
import type { UseFormReturnType } from '@mantine/form';
import { versionOf } from '@service/trpc/version';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import type { z } from 'zod';
import { currentOf, failureOf, type Failure } from '../failure.ts';
import { useFormDraft, type FormDraft } from '../form-draft.ts';
import { validateBy } from '../zod-form.ts';
import { useCheckedForm } from './checked-form.ts';
import { changedFields, mergeEdits, savedOf, type Edits, type SavedChange } from './edits.ts';

interface RecordFormOptions<Record extends object, Values extends object, Fields extends object> {
  /** Differs for each form and record. */
  name: string;
  /** The record as it is stored now. */
  record: Record;
  valuesOf: (record: Record) => Values;
  /** The fields of a PATCH. Their paths are those of the values. */
  fieldsOf: (values: Values) => Fields;
  /** The input of the PATCH, and the ids that belong to it beside the fields. Absent: only the service checks the values. */
  schema?: z.ZodType;
  address?: object;
  /** Objects of the values that are compared as a whole. */
  whole?: readonly string[];
  /** Sends the changed fields. `ifMatch` belongs into the context of the call. */
  save: (changes: Partial<Fields>, context: { ifMatch: string }) => Promise<{ data: Record }>;
  onSaved: (record: Record) => void | Promise<unknown>;
}

export interface Conflict<Values> extends Edits<Values> {
  /** The change of the other person. */
  saved?: SavedChange | undefined;
  /** Saves the merged edits. `keepsMine` decides about fields that both changed. */
  resolve: (keepsMine: (path: string) => boolean) => void;
  /** Drops the own edits. */
  takeTheirs: () => void;
  close: () => void;
}

export interface RecordForm<Values> {
  form: UseFormReturnType<Values>;
  draft: FormDraft;
  /** The changed fields: the body of the PATCH that Save sends. */
  changes: object;
  isDirty: boolean;
  isSaving: boolean;
  isSaved: boolean;
  error: unknown;
  /** Fields with a message. */
  shownPaths: readonly string[];
  conflict: Conflict<Values> | undefined;
  submit: () => void;
  discard: () => void;
}

interface Attempt<Values, Record> {
  values: Values;
  from: Record;
}

export function useRecordForm<Record extends object, Values extends object, Fields extends object>(
  options: RecordFormOptions<Record, Values, Fields>,
): RecordForm<Values> {
  const { record, valuesOf, fieldsOf, schema, address, whole } = options;
  const [base, setBase] = useState(record);
  const [theirs, setTheirs] = useState<Record>();
  const form = useCheckedForm<Values>(
    valuesOf(record),
    schema ? validateBy<Values>(schema, (values) => ({ ...address, ...fieldsOf(values) })) : () => ({}),
  );
  const changes = changedFields(fieldsOf(valuesOf(base)), fieldsOf(form.values));
  const isDirty = Object.keys(changes).length > 0;

  const begin = (from: Record, values = valuesOf(from)) => {
    setBase(from);
    form.setInitialValues(valuesOf(from));
    form.resetDirty(valuesOf(from));
    form.setValues(values);
    form.clearErrors();
  };
  const draft = useFormDraft(options.name, {
    getValues: () => ({ base, values: form.getValues() }),
    isDirty: () => isDirty,
    setValues: (kept) => begin(kept.base ?? base, kept.values),
    reset: () => begin(base),
  });

  // A change by another person appears by itself in a form without edits.
  const isOutdated = versionOf(record) !== versionOf(base);
  useEffect(() => {
    if (isOutdated && !isDirty) begin(record);
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- begin is new in each render
  }, [isOutdated, isDirty, record]);

  const mutation = useMutation({
    mutationFn: ({ values, from }: Attempt<Values, Record>) =>
      options.save(changedFields(fieldsOf(valuesOf(from)), fieldsOf(values)), { ifMatch: versionOf(from) }),
    onSuccess: async ({ data }, { values }) => {
      // Keeps the values that were typed while the request was under way.
      const typed = form.getValues();
      begin(data, typed === values ? undefined : typed);
      setTheirs(undefined);
      await options.onSaved(data);
    },
    onError: (refusal) => {
      const current = currentOf(refusal);
      if (current) setTheirs(current as Record);
      else form.setErrors(messagesOf(failureOf(refusal)));
    },
  });
  const send = (values: Values, from: Record) => mutation.mutate({ values, from });
  const conflict = theirs && {
    base: valuesOf(base),
    mine: form.values,
    theirs: valuesOf(theirs),
    saved: savedOf(theirs),
    whole,
    resolve(keepsMine: (path: string) => boolean) {
      const edits = { base: valuesOf(base), mine: form.values, theirs: valuesOf(theirs), whole };
      const merged = mergeEdits(edits, keepsMine);
      begin(theirs, merged);
      setTheirs(undefined);
      const isChanged = Object.keys(changedFields(fieldsOf(edits.theirs), fieldsOf(merged))).length > 0;
      if (isChanged) send(merged, theirs);
      else mutation.reset();
    },
    takeTheirs() {
      begin(theirs);
      setTheirs(undefined);
      mutation.reset();
    },
    close: () => setTheirs(undefined),
  };

  return {
    form,
    draft,
    changes,
    isDirty,
    isSaving: mutation.isPending,
    isSaved: mutation.isSuccess && !isDirty,
    error: currentOf(mutation.error) && isDirty ? null : mutation.error,
    shownPaths: Object.keys(form.errors),
    conflict,
    submit: form.onSubmit(
      (values) => (isDirty && !mutation.isPending ? send(values, base) : undefined),
      (errors) => focusFirst(form, errors),
    ),
    discard() {
      begin(base);
      mutation.reset();
    },
  };
}

const messagesOf = ({ issues }: Failure) =>
  Object.fromEntries(issues.map(({ path, message }) => [path, message]));

/** Brings the first field with a problem into view, in the order of the page. */
function focusFirst<Values extends object>(form: UseFormReturnType<Values>, errors: object): void {
  const nodes = Object.keys(errors).flatMap((path) => form.getInputNode(path) ?? []);
  const [first] = nodes.toSorted((a, b) =>
    a.compareDocumentPosition(b) & Node.DOCUMENT_POSITION_FOLLOWING ? -1 : 1,
  );
  first?.focus();
  first?.scrollIntoView({ block: 'center' });
}

/**
 * Focuses the field that a link names, such as an entry of the publish check. `data-path` is on every input of a Mantine form;
 * a group of inputs has it too, with `tabIndex={-1}`.
 */
export function useFieldFocus(path: string | undefined, onDone: () => void): void {
  useEffect(() => {
    if (path === undefined) return;
    const node = document.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
    node?.focus();
    node?.scrollIntoView({ block: 'center' });
    if (node) onDone();
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- once for each link
  }, [path]);
}
