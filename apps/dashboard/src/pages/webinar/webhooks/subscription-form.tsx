import { Stack, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import type { ApiCall } from '../../../api-call.ts';
import { DraftNotice } from '../../../components/draft-notice.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormActions } from '../../../components/form-actions.tsx';
import { UnsavedGuard } from '../../../components/unsaved-guard.tsx';
import { fieldErrors, failureOf } from '../../../failure.ts';
import { useFormDraft } from '../../../form-draft.ts';
import { UrlField } from '../../source/url-field.tsx';
import { EventTypesInput, type SubscribableType } from './event-types-input.tsx';

export interface SubscriptionValues {
  url: string;
  description: string;
  eventTypes: SubscribableType[];
}

interface SubscriptionFormProps {
  /** The name of the draft, which survives the end of a sign-in session. */
  draftName: string;
  initialValues: SubscriptionValues;
  submit: string;
  /** Rejects with the error of the service. */
  save: (values: SubscriptionValues) => Promise<unknown>;
  /** The call that saves the values. */
  apiCallOf: (values: SubscriptionValues) => ApiCall;
  isPending: boolean;
  error: unknown;
  onCancel: () => void;
}

/** Paths of problems and the fields that show them. */
const fields = ['url', 'description', 'eventTypes'];
const descriptionMax = 200;

const trimmed = (values: SubscriptionValues): SubscriptionValues => ({
  ...values,
  url: values.url.trim(),
  description: values.description.trim(),
});

/** Creates and edits a subscription. */
export function SubscriptionForm(props: SubscriptionFormProps) {
  const { draftName, initialValues, submit, save, apiCallOf, isPending, error, onCancel } = props;
  const form = useForm<SubscriptionValues>({
    initialValues,
    validate: {
      url: isNotEmpty('Enter the URL of your endpoint.'),
      eventTypes: ({ length }) => (length === 0 ? 'Choose at least one event type.' : null),
    },
  });
  const draft = useFormDraft(draftName, form);
  const onSubmit = form.onSubmit((values) =>
    save(trimmed(values)).catch((refusal: unknown) =>
      form.setErrors(fieldErrors(failureOf(refusal), fields)),
    ),
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <UnsavedGuard isDirty={form.isDirty() && !isPending} />
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <UrlField data-autofocus {...form.getInputProps('url')} value={form.values.url} />
        <TextInput
          label="Description"
          description="Optional. The name of this subscription in lists and mails."
          placeholder="CRM, production"
          autoComplete="off"
          maxLength={descriptionMax}
          {...form.getInputProps('description')}
        />
        <EventTypesInput
          value={form.values.eventTypes}
          onChange={(types) => form.setFieldValue('eventTypes', types)}
          error={form.errors['eventTypes']}
        />
        {error ? <FailureNotice error={error} shownPaths={fields} /> : null}
        <FormActions
          submit={submit}
          isPending={isPending}
          apiCall={apiCallOf(trimmed(form.values))}
          onCancel={onCancel}
        />
      </Stack>
    </form>
  );
}
