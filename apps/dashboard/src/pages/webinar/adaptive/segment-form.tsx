import { Checkbox, Group, TextInput } from '@mantine/core';
import { CreateSegmentInput } from '@service/webinars/inputs';
import { PositionField } from '../../../components/number-field.tsx';
import { useCheckedForm } from '../../../record-form/checked-form.ts';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { formatPosition, parsePosition } from '../../../time-text.ts';
import { useTRPCClient, type Segment } from '../../../trpc.ts';
import { validateBy } from '../../../zod-form.ts';
import { createField, textOrNull, urlProps } from '../fields.ts';
import { useAdaptiveSearch } from '../use-tab-search.ts';
import { GraphForm } from './graph-form.tsx';
import { useGraphChanged, type EditedGraph } from './use-graph.ts';

interface SegmentFormProps {
  graph: EditedGraph;
  /** Absent for a new one. */
  stored?: Segment;
  onDirty: (isDirty: boolean) => void;
}

/** Names of the fields, for the form and the comparison of two people's changes. */
const labels: Record<keyof SegmentValues, string> = {
  title: 'Title',
  key: 'Key',
  videoUrl: 'Video URL',
  durationSeconds: 'Length',
  isTerminal: 'The webinar ends with this segment',
};

export function SegmentForm({ graph, stored, onDirty }: SegmentFormProps) {
  const { webinarId, close } = useAdaptiveSearch();
  const { segments } = useTRPCClient();
  const changed = useGraphChanged();
  const form = useCheckedForm<SegmentValues>(
    stored ? toValues(stored) : emptySegment,
    validateSegment(webinarId),
  );
  const field = createField(form, labels);
  // The first segment is the one that viewers start with.
  const isEntry = graph.segments.every((one) => !one.isEntry);
  const saving = usePanelSave({
    name: `segment:${webinarId}:${stored?.id ?? 'new'}`,
    form,
    stored,
    valuesOf: toValues,
    bodyOf: toBody,
    create: (created) => segments.create.mutate({ webinarId, ...created, isEntry }),
    update: (changes, context) =>
      segments.update.mutate({ webinarId, segmentId: stored!.id, ...changes }, { context }),
    onSaved: async () => {
      await changed();
      close({ isSaved: true });
    },
  });
  const { body } = saving;
  return (
    <GraphForm
      form={form}
      saving={saving}
      noun="segment"
      storedId={stored?.id}
      labels={labels}
      apiCall={
        stored
          ? {
              operation: 'PATCH /webinars/{webinarId}/segments/{segmentId}',
              params: { webinarId, segmentId: stored.id },
              body,
            }
          : {
              operation: 'POST /webinars/{webinarId}/segments',
              params: { webinarId },
              body: { ...body, isEntry },
            }
      }
      onDirty={onDirty}
    >
      <TextInput {...field('title')} maxLength={200} autoComplete="off" data-autofocus />
      <TextInput
        {...field('videoUrl')}
        {...urlProps}
        placeholder="https://media.example.com/introduction.mp4"
      />
      <Group gap="sm" align="flex-start" grow>
        <PositionField {...field('durationSeconds')} example="5:00" />
        <TextInput
          {...field('key')}
          description="For your code."
          inputWrapperOrder={['label', 'input', 'description', 'error']}
          placeholder="Made from the title"
          autoComplete="off"
          spellCheck={false}
        />
      </Group>
      <Checkbox {...field('isTerminal', 'checkbox')} description="No branch can leave it." />
    </GraphForm>
  );
}

type SegmentValues = ReturnType<typeof toValues>;

const emptySegment: SegmentValues = {
  title: '',
  key: '',
  videoUrl: '',
  durationSeconds: '',
  isTerminal: false,
};

/** Fields have the names of the API; the length is a text, because half a time can be typed. */
const toValues = ({ title, key, videoUrl, durationSeconds, isTerminal }: Segment) => ({
  title,
  key,
  videoUrl: videoUrl ?? '',
  durationSeconds: formatPosition(durationSeconds),
  isTerminal,
});

/** The body of the call. Without a key the service makes one from the title. */
const toBody = ({ title, key, videoUrl, durationSeconds, isTerminal }: SegmentValues) => ({
  title,
  ...(key.trim() !== '' && { key: key.trim() }),
  videoUrl: textOrNull(videoUrl),
  durationSeconds: parsePosition(durationSeconds) ?? Number.NaN,
  isTerminal,
});

/** The `validate` of the form: the API's own check, with words for a text that is no time. */
const validateSegment =
  (webinarId: string) =>
  (values: SegmentValues): Record<string, string> => ({
    ...validateBy(CreateSegmentInput, (current: SegmentValues) => ({ webinarId, ...toBody(current) }))(
      values,
    ),
    ...(parsePosition(values.durationSeconds) === undefined && {
      durationSeconds: 'Write a time such as 5:00.',
    }),
  });
