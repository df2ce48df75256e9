import { Group, Select, TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { DialogForm } from '../../components/dialog-form.tsx';
import { SearchSelect } from '../../components/search-select.tsx';
import { UnsavedGuard } from '../../components/unsaved-guard.tsx';
import { failureOf, fieldErrors } from '../../failure.ts';
import { focusFirstProblem } from '../../focus.ts';
import { useFormDraft } from '../../form-draft.ts';
import { formatDuration } from '../../format.ts';
import { parseLength } from '../../time-text.ts';
import { useTRPC } from '../../trpc.ts';
import { useWorkspace } from '../../workspace.ts';
import { allTimeZones, instantToZonedTime, localTimeZone, zonedTimeToInstant } from '../../zoned-time.ts';
import { frequencies, recurrenceText } from '../webinar/schedule/recurrence-text.ts';

/** The limits of the API. */
const secondsMin = 60;
const secondsMax = 86_400;

const kinds = [
  { value: 'standard', label: 'Standard: one video for all viewers' },
  { value: 'adaptive', label: 'Adaptive: the path depends on the viewer' },
];
const fields = ['title', 'kind', 'startsAt', 'durationSeconds', 'frequency', 'timezone'];

interface CreateValues {
  title: string;
  kind: 'standard' | 'adaptive';
  /** The value of a `datetime-local` input, in the zone. */
  startsAt: string;
  /** As it is typed. */
  durationSeconds: string;
  frequency: (typeof frequencies)[number]['value'];
  timezone: string;
}

export function CreateWebinarForm({ onClose }: { onClose: () => void }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const navigate = useNavigate();
  const { workspace } = useWorkspace();
  const form = useForm<CreateValues>({
    initialValues: {
      title: '',
      kind: 'standard',
      startsAt: nextWeek(localTimeZone()),
      durationSeconds: '60',
      frequency: 'once',
      timezone: localTimeZone(),
    },
    validate: {
      title: (title) => (title.trim() === '' ? 'Give the webinar a title.' : null),
      startsAt: (local, { timezone }) => problemOfStart(local, timezone),
      durationSeconds: problemOfLength,
      timezone: isNotEmpty('Choose a time zone.'),
    },
  });
  const draft = useFormDraft('create-webinar', form);
  const { mutate, isPending, error } = useMutation(
    trpc.webinars.create.mutationOptions({
      onSuccess: async ({ data }) => {
        void queryClient.invalidateQueries(trpc.webinars.list.queryFilter());
        const params = { workspaceId: workspace.id, webinarId: data.id };
        await navigate({ to: '/w/$workspaceId/webinars/$webinarId', params });
      },
      onError: (refusal) => form.setErrors(fieldErrors(failureOf(refusal), fields)),
    }),
  );
  const { frequency } = form.values;
  const seconds = parseLength(form.values.durationSeconds);
  const submit = form.onSubmit((values) => mutate(toInput(values)), focusFirstProblem);
  return (
    <DialogForm
      draft={draft}
      error={error}
      shownPaths={fields}
      submit="Create draft"
      isPending={isPending}
      apiCall={{ operation: 'POST /webinars', params: {}, body: toInput(form.values) }}
      onSubmit={submit}
      onCancel={onClose}
    >
      <UnsavedGuard isDirty={form.isDirty() && !isPending} isOpenWith={({ create }) => create === true} />
      <TextInput
        label="Title"
        maxLength={200}
        autoComplete="off"
        data-autofocus
        autoFocus
        {...form.getInputProps('title')}
      />
      <Select label="Kind" data={kinds} allowDeselect={false} {...form.getInputProps('kind')} />
      <Group gap="sm" align="flex-start">
        <TextInput
          label="First date and time"
          type="datetime-local"
          flex="2 1 200px"
          {...form.getInputProps('startsAt')}
        />
        <TextInput
          label="Length"
          flex="1 1 120px"
          autoComplete="off"
          description={
            seconds === undefined ? 'For example 45, or 1 h 30 min.' : `${formatDuration(seconds)}.`
          }
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          {...form.getInputProps('durationSeconds')}
        />
      </Group>
      <Select
        label="Repeats"
        description={
          frequency === 'once'
            ? undefined
            : `${recurrenceText(recurrenceOf(form.values))}. The Schedule tab has an end and more dates.`
        }
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        data={frequencies}
        allowDeselect={false}
        {...form.getInputProps('frequency')}
      />
      <SearchSelect
        label="Time zone"
        description="The date and time above are in this zone."
        data={allTimeZones()}
        nothingFoundMessage="No such time zone"
        {...form.getInputProps('timezone')}
      />
    </DialogForm>
  );
}

function toInput({ title, kind, durationSeconds, timezone, ...dates }: CreateValues) {
  const seconds = parseLength(durationSeconds) ?? 0;
  return {
    title: title.trim(),
    kind,
    durationSeconds: seconds,
    timezone,
    // A look of a second is no attendance. A short video asks for a tenth of it.
    attendance: { minSeconds: Math.min(60, Math.floor(seconds / 10)) },
    schedule: { recurrences: [recurrenceOf(dates)] },
  };
}

function recurrenceOf({ startsAt, frequency }: Pick<CreateValues, 'startsAt' | 'frequency'>) {
  const [startDate = '', time = ''] = startsAt.split('T');
  return { frequency, daysOfWeek: null, dayOfMonth: null, time, startDate, endDate: null };
}

function problemOfLength(text: string): string | null {
  const seconds = parseLength(text);
  if (seconds === undefined) return 'Write a length such as 45 min, or 1 h 30 min.';
  if (seconds < secondsMin) return 'Must be at least 1 min.';
  return seconds > secondsMax ? 'Must be at most 24 h.' : null;
}

function problemOfStart(local: string, timezone: string): string | null {
  if (local === '') return 'Choose a date and time.';
  return Date.parse(zonedTimeToInstant(local, timezone)) <= Date.now()
    ? 'Choose a time in the future.'
    : null;
}

const weekMs = 7 * 24 * 3_600_000;

/** In the evening of this weekday of next week. A draft with it can be published without changes. */
const nextWeek = (timezone: string): string =>
  `${instantToZonedTime(Date.now() + weekMs, timezone).slice(0, 10)}T18:00`;
