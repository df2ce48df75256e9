import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { FormActions } from '../../../components/form-actions.tsx';
import { fieldErrors, failureOf } from '../../../failure.ts';
import { EventTypesInput, type SubscribableType } from './event-types-input.tsx';

export interface SubscriptionValues {
  url: string;
  description: string;
  eventTypes: SubscribableType[];
}

interface SubscriptionFormProps {
  initialValues: SubscriptionValues;
  submit: string;
  /** Rejects with the error of the service. */
  save: (values: SubscriptionValues) => Promise<unknown>;
  isPending: boolean;
  error: unknown;
  onCancel: () => void;
}

/** Paths of problems and the fields that show them. */
const fields = ['url', 'description', 'eventTypes'];
const descriptionMax = 200;

/** Creates and edits a subscription. */
export function SubscriptionForm(props: SubscriptionFormProps) {
  const { initialValues, submit, save, isPending, error, onCancel } = props;
  const form = useForm<SubscriptionValues>({
    initialValues,
    validateInputOnBlur: ['url'],
    validate: {
      url: problemOfUrl,
      eventTypes: ({ length }) => (length === 0 ? 'Choose at least one event type.' : null),
    },
  });
  const onSubmit = form.onSubmit((values) =>
    save({ ...values, url: values.url.trim(), description: values.description.trim() }).catch(
      (refusal: unknown) => form.setErrors(fieldErrors(failureOf(refusal), fields)),
    ),
  );
  return (
    <form onSubmit={onSubmit} noValidate>
      <Stack gap="md">
        <TextInput
          label="Endpoint URL"
          description="Receives signed JSON by POST, and must answer with 2xx within 10 seconds."
          placeholder="https://example.com/hooks/webinar"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          data-autofocus
          {...form.getInputProps('url')}
        />
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
        <FormActions submit={submit} isPending={isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}

/** Only a first check. The service checks scheme, host and address. */
function problemOfUrl(text: string): string | null {
  const url = URL.parse(text.trim());
  if (!url || !['https:', 'http:'].includes(url.protocol))
    return 'Enter a whole URL, beginning with https://';
  return null;
}
