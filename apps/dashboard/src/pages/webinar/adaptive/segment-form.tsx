import { Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { CreateSegmentInput } from '@service/webinars/inputs';
import { useMutation } from '@tanstack/react-query';
import { useEffect } from 'react';
import { CopyableId } from '../../../components/copy.tsx';
import { DraftNotice } from '../../../components/draft-notice.tsx';
import { FormActions } from '../../../components/form-actions.tsx';
import { PositionField } from '../../../components/position-field.tsx';
import { failureOf } from '../../../failure.ts';
import { focusFirstProblem } from '../../../focus-first-problem.ts';
import { useFormDraft } from '../../../form-draft.ts';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import { useTRPCClient, type Segment } from '../../../trpc.ts';
import { validateBy } from '../../../zod-form.ts';
import { GraphFailure } from './graph-failure.tsx';
import { useAdaptiveSearch } from './use-adaptive-search.ts';
import { useGraphChanged, type EditedGraph } from './use-graph.ts';

interface SegmentFormProps {
  graph: EditedGraph;
  /** Absent for a new one. */
  stored?: Segment;
  onDirty: (isDirty: boolean) => void;
}

interface SegmentValues {
  title: string;
  key: string;
  videoUrl: string;
  durationSeconds: string;
  isTerminal: boolean;
}

const fields = ['title', 'key', 'videoUrl', 'durationSeconds', 'isTerminal'];

const toBody = ({ title, key, videoUrl, durationSeconds, isTerminal }: SegmentValues) => ({
  title,
  ...(key.trim() !== '' && { key: key.trim() }),
  videoUrl: videoUrl.trim() === '' ? null : videoUrl,
  durationSeconds: parsePosition(durationSeconds) ?? Number.NaN,
  isTerminal,
});

export function SegmentForm({ graph, stored, onDirty }: SegmentFormProps) {
  const { webinarId, close } = useAdaptiveSearch();
  const form = useForm<SegmentValues>({
    initialValues: {
      title: stored?.title ?? '',
      key: stored?.key ?? '',
      videoUrl: stored?.videoUrl ?? '',
      durationSeconds: stored ? formatPosition(stored.durationSeconds) : '',
      isTerminal: stored?.isTerminal ?? false,
    },
    validate: (values) => ({
      ...validateBy(CreateSegmentInput, (current: SegmentValues) => ({ webinarId, ...toBody(current) }))(
        values,
      ),
      ...(parsePosition(values.durationSeconds) === undefined && {
        durationSeconds: 'Write a time such as 5:00.',
      }),
    }),
    validateInputOnChange: true,
  });
  const draft = useFormDraft(`segment:${webinarId}:${stored?.id ?? 'new'}`, form);
  const { save, isPending, error } = useSaveSegment({
    graph,
    stored,
    onSaved: () => close({ isSaved: true }),
  });
  const isDirty = form.isDirty();
  useEffect(() => {
    onDirty(isDirty);
    return () => onDirty(false);
  }, [isDirty, onDirty]);
  const submit = form.onSubmit(
    (values) =>
      save(values, (refusal) => {
        const { code, message, issues } = failureOf(refusal);
        form.setErrors(Object.fromEntries(issues.map((issue) => [issue.path, issue.message])));
        if (code === 'segment_key_taken') form.setFieldError('key', message);
      }),
    focusFirstProblem,
  );
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <TextInput
          label="Title"
          maxLength={200}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('title')}
        />
        <TextInput
          label="Video URL"
          placeholder="https://media.example.com/introduction.mp4"
          inputMode="url"
          autoComplete="off"
          spellCheck={false}
          {...form.getInputProps('videoUrl')}
        />
        <Group gap="sm" align="flex-start" grow>
          <PositionField
            label="Length"
            description="Minutes and seconds"
            placeholder="5:00"
            {...form.getInputProps('durationSeconds')}
          />
          <TextInput
            label="Key"
            description="For your code"
            placeholder="Made from the title"
            autoComplete="off"
            spellCheck={false}
            {...form.getInputProps('key')}
          />
        </Group>
        <Checkbox
          label="The webinar ends with this segment"
          description="No branch can leave it."
          {...form.getInputProps('isTerminal', { type: 'checkbox' })}
        />
        {stored ? (
          <div>
            <CopyableId id={stored.id} name="segment id" />
          </div>
        ) : null}
        {error ? <GraphFailure error={error} shownPaths={fields} /> : null}
        <FormActions
          submit={stored ? 'Save' : 'Create segment'}
          isPending={isPending}
          isDisabled={stored !== undefined && !isDirty}
          onCancel={() => close()}
        />
      </Stack>
    </form>
  );
}

interface SaveOptions {
  graph: EditedGraph;
  stored: Segment | undefined;
  onSaved: () => void;
}

function useSaveSegment({ graph, stored, onSaved }: SaveOptions) {
  const { segments } = useTRPCClient();
  const { webinarId } = useAdaptiveSearch();
  const changed = useGraphChanged();
  const { mutate, isPending, error } = useMutation({
    mutationFn: (values: SegmentValues) =>
      stored
        ? segments.update.mutate({ webinarId, segmentId: stored.id, ...toBody(values) })
        : // The first segment is the one that viewers start with.
          segments.create.mutate({
            webinarId,
            ...toBody(values),
            isEntry: graph.segments.every((one) => !one.isEntry),
          }),
    onSuccess: async () => {
      await changed();
      onSaved();
    },
  });
  const save = (values: SegmentValues, onError: (refusal: unknown) => void) => mutate(values, { onError });
  return { save, isPending, error };
}
