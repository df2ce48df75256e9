import { Checkbox, Group, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { CopyableId } from '../../../components/copy.tsx';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { PositionField } from '../../../components/number-field.tsx';
import { focusFirstProblem } from '../../../focus.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPCClient, type Segment } from '../../../trpc.ts';
import { GraphFailure } from './graph-failure.tsx';
import {
  emptySegment,
  segmentLabels,
  toBody,
  toValues,
  validateSegment,
  type SegmentValues,
} from './segment-values.ts';
import { useAdaptiveSearch } from './use-adaptive-search.ts';
import { useGraphChanged, type EditedGraph } from './use-graph.ts';

interface SegmentFormProps {
  graph: EditedGraph;
  /** Absent for a new one. */
  stored?: Segment;
  onDirty: (isDirty: boolean) => void;
}

export function SegmentForm({ graph, stored, onDirty }: SegmentFormProps) {
  const { webinarId, close } = useAdaptiveSearch();
  const { segments } = useTRPCClient();
  const changed = useGraphChanged();
  const form = useForm<SegmentValues>({
    initialValues: stored ? toValues(stored) : emptySegment,
    validate: validateSegment(webinarId),
    validateInputOnChange: true,
  });
  // The first segment is the one that viewers start with.
  const isEntry = graph.segments.every((one) => !one.isEntry);
  const { save, draft, body, isPending, error, conflict } = usePanelSave({
    name: `segment:${webinarId}:${stored?.id ?? 'new'}`,
    form,
    stored,
    valuesOf: toValues,
    bodyOf: toBody,
    create: (fields) => segments.create.mutate({ webinarId, ...fields, isEntry }),
    update: (changes, context) =>
      segments.update.mutate({ webinarId, segmentId: stored!.id, ...changes }, { context }),
    onSaved: async () => {
      await changed();
      close({ isSaved: true });
    },
  });
  const isDirty = form.isDirty();
  useReportDirty(isDirty, onDirty);
  return (
    <form onSubmit={form.onSubmit(save, focusFirstProblem)} noValidate>
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
        {error ? <GraphFailure error={error} shownPaths={Object.keys(segmentLabels)} /> : null}
        <FormActions
          submit={stored ? 'Save' : 'Create segment'}
          isPending={isPending}
          isDisabled={stored !== undefined && !isDirty}
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
          onCancel={() => close()}
        />
      </Stack>
      <ConflictDialog conflict={conflict} labels={segmentLabels} />
    </form>
  );
}
