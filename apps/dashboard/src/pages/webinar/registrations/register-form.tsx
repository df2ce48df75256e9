import { Button, Checkbox, Collapse, Select, Stack, TextInput } from '@mantine/core';
import { useForm, type UseFormReturnType } from '@mantine/form';
import { customFieldProblems, RegistrantRow } from '@service/attendees/inputs';
import { IconChevronDown, IconChevronRight } from '@service/icons';
import { useMutation } from '@tanstack/react-query';
import { useId, useState, type ReactNode } from 'react';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { failureOf, fieldErrors } from '../../../failure.ts';
import { focusFirstProblem } from '../../../focus.ts';
import { useFormDraft } from '../../../form-draft.ts';
import { useTRPC, type Registration, type Slot, type Webinar } from '../../../trpc.ts';
import { validateBy } from '../../../zod-form.ts';
import { slotText } from './registration-texts.ts';
import { slotValue, useRegistrationsChanged } from './use-registrations.ts';

interface RegisterFormProps {
  webinar: Webinar;
  /** The sessions that can be booked, soonest first. None when the last one has begun while a person types. */
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
    <DialogForm
      draft={draft}
      submit="Register"
      isPending={isPending}
      error={isAtField ? null : error}
      shownPaths={paths}
      apiCall={{
        operation: 'POST /webinars/{webinarId}/registrations',
        params: { webinarId: webinar.id },
        body: toRegistrant(form.values),
      }}
      onSubmit={form.onSubmit(
        (values) => mutate({ webinarId: webinar.id, ...toRegistrant(values) }),
        focusFirstProblem,
      )}
      onCancel={onClose}
    >
      <Select
        label="Session"
        allowDeselect={false}
        data={slots.map((slot) => ({ value: slotValue(slot), label: slotText(slot, webinar.timezone) }))}
        {...form.getInputProps('sessionTime')}
        error={form.errors['sessionTime'] ?? problemOfSession(form.values.sessionTime, slots)}
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
      <UtmFields form={form} />
    </DialogForm>
  );
}

interface CustomFieldProps {
  field: Webinar['registrationForm']['fields'][number];
  value?: string;
  onChange: (value: string) => void;
  onBlur?: () => void;
  error?: ReactNode;
}

const inputTypes = { text: 'text', email: 'email', phone: 'tel' } as const;

/** A field of the registration form, by its type. A checkbox answers "true", or nothing. */
function CustomField({ field, value = '', onChange, onBlur, error }: CustomFieldProps) {
  const { type, required, options } = field;
  const shared = { label: required ? field.label : `${field.label} (optional)`, onBlur, error };
  if (type === 'checkbox') {
    return (
      <Checkbox
        {...shared}
        checked={value === 'true'}
        onChange={(event) => onChange(event.currentTarget.checked ? 'true' : '')}
      />
    );
  }
  if (type === 'select') {
    return (
      <Select
        {...shared}
        placeholder="Choose"
        clearable={!required}
        data={options}
        value={value === '' ? null : value}
        onChange={(chosen) => onChange(chosen ?? '')}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      type={inputTypes[type]}
      autoComplete="off"
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

/** The campaign of a registration, closed until a person needs it. A refused field opens the group. */
function UtmFields({ form }: { form: UseFormReturnType<RegistrantValues> }) {
  const id = useId();
  const [isOpened, setOpened] = useState(false);
  const isShown = isOpened || utmNames.some((name) => Boolean(form.errors[`utm.${name}`]));
  const Icon = isShown ? IconChevronDown : IconChevronRight;
  return (
    <div>
      <Button
        variant="subtle"
        color="gray"
        px={4}
        leftSection={<Icon size={14} />}
        aria-expanded={isShown}
        aria-controls={id}
        onClick={() => setOpened(!isShown)}
      >
        Campaign (UTM)
      </Button>
      <Collapse id={id} expanded={isShown}>
        <Stack gap="xs" pt="xs">
          {utmNames.map((name) => (
            <TextInput
              key={name}
              label={`utm_${name}`}
              autoComplete="off"
              {...form.getInputProps(`utm.${name}`)}
            />
          ))}
        </Stack>
      </Collapse>
    </div>
  );
}

const utmNames = ['source', 'medium', 'campaign', 'term', 'content'] as const;

/** The values of the form. `toRegistrant` makes the input of the API of them. */
type RegistrantValues = ReturnType<typeof emptyRegistrant>;

const emptyRegistrant = (webinar: Webinar, slots: readonly Slot[]) => ({
  name: '',
  email: '',
  phone: '',
  /** The start of a slot, or the value of an on-demand session. */
  sessionTime: slots[0] ? slotValue(slots[0]) : '',
  /** By field key. A checkbox is "true" or "". */
  customFields: Object.fromEntries(webinar.registrationForm.fields.map(({ key }) => [key, ''])) as Record<
    string,
    string
  >,
  consent: false,
  utm: { source: '', medium: '', campaign: '', term: '', content: '' },
});

/** Empty fields are left out. An on-demand session begins in the minute of the call, not in that of the form. */
function toRegistrant(values: RegistrantValues) {
  const utm = utmNames.map((name) => [name, values.utm[name].trim() || null] as const);
  return {
    name: values.name,
    email: values.email,
    ...(values.sessionTime === 'on_demand' ? {} : { sessionTime: values.sessionTime }),
    ...(values.phone.trim() === '' ? {} : { phone: values.phone }),
    customFields: answersOf(values),
    ...(utm.some(([, value]) => value !== null) ? { utm: Object.fromEntries(utm) } : {}),
  };
}

const answersOf = ({ customFields }: RegistrantValues): Record<string, string> =>
  Object.fromEntries(Object.entries(customFields).filter(([, answer]) => answer.trim() !== ''));

/** The problems that the API would find, and the consent that only this form asks for. */
function checkRegistrant(webinar: Webinar, slots: readonly Slot[]) {
  const { fields, consentText } = webinar.registrationForm;
  const check = validateBy(RegistrantRow, toRegistrant);
  return (values: RegistrantValues): Record<string, string> => {
    const answers = customFieldProblems(fields, answersOf(values));
    const sessionTime = problemOfSession(values.sessionTime, slots);
    return {
      ...Object.fromEntries(answers.map(({ path, message }) => [path, message])),
      ...(consentText !== null && !values.consent ? { consent: 'Required.' } : {}),
      ...check(values),
      ...(sessionTime !== undefined && { sessionTime }),
    };
  };
}

function problemOfSession(chosen: string, slots: readonly Slot[]): string | undefined {
  if (slots.length === 0) return 'This webinar has no upcoming session.';
  return slots.some((slot) => slotValue(slot) === chosen) ? undefined : 'Choose another session.';
}
