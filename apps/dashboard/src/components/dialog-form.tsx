import { Button, Group, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useMutation } from '@tanstack/react-query';
import type { ComponentProps, ReactNode } from 'react';
import type { ApiCall } from '../api-call.ts';
import type { FormDraft } from '../form-draft.ts';
import { FailureNotice } from './failure-notice.tsx';
import { Notice } from './notice.tsx';
import { ShowApiCall } from './show-api-call.tsx';

interface FormActionsProps {
  /** The text of the submit button. */
  submit: string;
  /** The text of the button that changes nothing. */
  cancel?: string;
  /** The button that changes nothing has the focus first. Usual for a question, but not for one with a field. */
  isCancelFirst?: boolean;
  isPending: boolean;
  isDisabled?: boolean;
  color?: 'red';
  /** The call that the form sends now. */
  apiCall?: ApiCall | undefined;
  onCancel: () => void;
}

interface DialogFormProps extends FormActionsProps {
  draft?: FormDraft;
  error: unknown;
  /** Paths of issues that the form shows beside its fields. The notice leaves them out. */
  shownPaths?: readonly string[];
  /** Instead of the usual notice about an error. */
  renderFailure?: (error: unknown) => ReactNode;
  /** The form already prevents the submit of the browser. */
  onSubmit: NonNullable<ComponentProps<'form'>['onSubmit']>;
  children: ReactNode;
}

/** A form in a dialog. Its last row has Cancel and submit. */
export function DialogForm({
  draft,
  error,
  shownPaths,
  renderFailure,
  onSubmit,
  children,
  ...actions
}: DialogFormProps) {
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit(event);
      }}
      noValidate
    >
      <Stack gap="md">
        {draft ? <DraftNotice draft={draft} /> : null}
        {children}
        {error
          ? (renderFailure?.(error) ?? <FailureNotice error={error} {...(shownPaths && { shownPaths })} />)
          : null}
        <FormActions {...actions} />
      </Stack>
    </form>
  );
}

interface QuestionProps<Answer> extends Pick<
  DialogFormProps,
  'cancel' | 'isCancelFirst' | 'isDisabled' | 'apiCall' | 'renderFailure'
> {
  /** A sentence that says what happens after a confirmation. */
  text?: ReactNode;
  /** Lists or fields below the text. */
  children?: ReactNode;
  /** The text of the red button. */
  confirm: string;
  /** Called after a confirmation. The dialog shows an error that it throws. */
  act: () => Promise<Answer>;
  /** Shown for a moment after success. */
  message?: string;
  onDone?: (answer: Answer) => unknown;
  /** Without `onDone`: reads the changed records again, before the dialog closes. */
  changed?: () => unknown;
  /** Called after success and after a failure. */
  onSettled?: () => unknown;
  onClose: () => void;
}

/** The content of a dialog that asks before something is deleted or stopped. */
export function Question<Answer>({
  text,
  children,
  confirm,
  act,
  message,
  onDone,
  changed,
  onSettled,
  onClose,
  ...form
}: QuestionProps<Answer>) {
  // gcTime 0: the answer may contain a secret.
  const { mutate, isPending, error } = useMutation({
    mutationFn: act,
    gcTime: 0,
    async onSuccess(answer) {
      if (message !== undefined) notifications.show({ message });
      if (onDone) await onDone(answer);
      else {
        await changed?.();
        onClose();
      }
    },
    onSettled,
  });
  return (
    <DialogForm
      isCancelFirst
      {...form}
      submit={confirm}
      color="red"
      isPending={isPending}
      error={error}
      onSubmit={() => {
        if (!form.isDisabled) mutate();
      }}
      onCancel={onClose}
    >
      {text === undefined ? null : (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text}
        </Text>
      )}
      {children}
    </DialogForm>
  );
}

/** The last row of a form in a dialog: Cancel and submit. */
export function FormActions({
  submit,
  cancel = 'Cancel',
  isCancelFirst = false,
  isPending,
  isDisabled = false,
  color,
  apiCall,
  onCancel,
}: FormActionsProps) {
  return (
    <Group justify="flex-end" gap="xs">
      {apiCall ? <FormApiCall call={apiCall} /> : null}
      <Button
        variant="default"
        onClick={onCancel}
        autoFocus={isCancelFirst}
        data-autofocus={isCancelFirst || undefined}
      >
        {cancel}
      </Button>
      <Button type="submit" color={color} disabled={isDisabled} loading={isPending}>
        {submit}
      </Button>
    </Group>
  );
}

/** At the left of the buttons of a form or question. */
export const FormApiCall = ({ call }: { call: ApiCall }) => (
  <div style={{ marginInlineEnd: 'auto' }}>
    <ShowApiCall call={call} of="this form" edge="start" />
  </div>
);

/** Shown above the fields of a form whose values were restored. */
export function DraftNotice({ draft }: { draft: FormDraft }) {
  if (!draft.isRestored) return null;
  return (
    <Notice tone="info">
      <Group justify="space-between" gap="sm" role="status">
        <Text size="sm">What you typed before was restored. It is not saved yet.</Text>
        <Button variant="default" onClick={draft.discard}>
          Discard it
        </Button>
      </Group>
    </Notice>
  );
}
