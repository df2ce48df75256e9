import { Checkbox, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useMutation } from '@tanstack/react-query';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { focusFirstProblem } from '../../../focus.ts';
import { useFormDraft } from '../../../form-draft.ts';
import { useTRPC, type Registration, type Slot, type Webinar } from '../../../trpc.ts';
import { CustomField } from './custom-field.tsx';
import { checkRegistrant, emptyRegistrant, toRegistrant, utmNames } from './registrant.ts';
import { slotText } from './slot-text.ts';
import { useRegistrationsChanged } from './use-registrations.ts';
import { UtmFields } from './utm-fields.tsx';

interface RegisterFormProps {
  webinar: Webinar;
  /** The sessions that can be booked, soonest first. */
  slots: readonly Slot[];
  onClose: () => void;
  onRegistered: (registration: Registration) => void;
}

/** The codes that refuse the chosen session. Their message belongs to the field. */
const ofSession: ReadonlySet<string> = new Set(['session_full', 'session_time_unavailable']);

export function RegisterForm({ webinar, slots, onClose, onRegistered }: RegisterFormProps) {
  const trpc = useTRPC();
  const changed = useRegistrationsChanged();
  const { fields, consentText } = webinar.registrationForm;
  const paths = [
    'name',
    'email',
    'phone',
    'sessionTime',
    ...fields.map(({ key }) => `customFields.${key}`),
    ...utmNames.map((name) => `utm.${name}`),
  ];
  const form = useForm({
    initialValues: emptyRegistrant(webinar, slots),
    validate: checkRegistrant(webinar, slots),
  });
  const draft = useFormDraft(`register:${webinar.id}`, form);
  const { mutate, isPending, error } = useMutation(
    trpc.registrations.create.mutationOptions({
      onSuccess: async ({ data }) => {
        form.resetDirty();
        await changed();
        onRegistered(data);
      },
      onError(refusal) {
        const failure = failureOf(refusal);
        const session = ofSession.has(failure.code) ? { sessionTime: failure.message } : {};
        form.setErrors({ ...fieldErrors(failure, paths), ...session });
      },
    }),
  );
  const isAtField = error !== null && ofSession.has(failureOf(error).code);
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(
        (values) => mutate({ webinarId: webinar.id, ...toRegistrant(values, slots) }),
        focusFirstProblem,
      )}
    >
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <Select
          label="Session"
          allowDeselect={false}
          data={slots.map((slot) => ({ value: slot.startsAt, label: slotText(slot, webinar.timezone) }))}
          {...form.getInputProps('sessionTime')}
        />
        <TextInput label="Name" autoComplete="off" data-autofocus autoFocus {...form.getInputProps('name')} />
        <TextInput label="E-mail" type="email" autoComplete="off" {...form.getInputProps('email')} />
        <TextInput label="Phone (optional)" type="tel" autoComplete="off" {...form.getInputProps('phone')} />
        {fields.map((field) => (
          <CustomField key={field.key} field={field} {...form.getInputProps(`customFields.${field.key}`)} />
        ))}
        {consentText === null ? null : (
          <Checkbox
            label={`The attendee agrees: ${consentText}`}
            styles={{ label: { overflowWrap: 'anywhere' } }}
            {...form.getInputProps('consent', { type: 'checkbox' })}
          />
        )}
        <UtmFields inputProps={(name) => form.getInputProps(`utm.${name}`)} errors={form.errors} />
        {error && !isAtField ? <FailureNotice error={error} shownPaths={paths} /> : null}
        <FormActions
          submit="Register"
          isPending={isPending}
          apiCall={{
            operation: 'POST /webinars/{webinarId}/registrations',
            params: { webinarId: webinar.id },
            body: toRegistrant(form.values, slots),
          }}
          onCancel={onClose}
        />
      </Stack>
    </form>
  );
}
