import '../../../components/choices.css';
import { Group, NumberInput, Radio, Stack, TextInput } from '@mantine/core';
import { branchKinds } from '@service/webinars/inputs';
import { ConditionsInput } from '../../../components/conditions/conditions-input.tsx';
import { SearchSelect } from '../../../components/search-select.tsx';
import { useCheckedForm } from '../../../record-form/checked-form.ts';
import { PositionField } from '../../../components/number-field.tsx';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPCClient, type Branch } from '../../../trpc.ts';
import { createField, type Field } from '../fields.ts';
import { RoomPreview } from '../room-preview.tsx';
import { useAdaptiveSearch } from '../use-tab-search.ts';
import {
  firstValues,
  toBody,
  toPath,
  toValues,
  validateBranch,
  viaTexts,
  type BranchValues,
} from './branch-values.ts';
import { GraphForm } from './graph-form.tsx';
import { branchesFrom, useGraphChanged, type EditedGraph } from './use-graph.ts';

interface BranchFormProps {
  graph: EditedGraph;
  /** Absent for a new one. */
  stored?: Branch;
  fromSegmentId: string;
  onDirty: (isDirty: boolean) => void;
}

/** Names of the fields, for the form and the comparison of two people's changes. */
const labels: Record<keyof BranchValues, string> = {
  fromSegmentId: 'From',
  toSegmentId: 'Leads to',
  label: 'Name',
  via: 'Taken by',
  conditions: 'Conditions',
  promptText: 'Question',
  promptAtSeconds: 'Offered from',
  choiceTimeoutSeconds: 'Seconds to choose',
};

export function BranchForm({ graph, stored, fromSegmentId, onDirty }: BranchFormProps) {
  const { webinarId, close } = useAdaptiveSearch();
  const { branches } = useTRPCClient().segments;
  const changed = useGraphChanged();
  const siblings = branchesFrom(graph.branches, fromSegmentId);
  const form = useCheckedForm<BranchValues>(
    stored ? toValues(stored) : firstValues(fromSegmentId, siblings),
    validateBranch(webinarId, graph.segments),
  );
  const field = createField(form, labels);
  // A new branch is after all others of its segment.
  const priority = siblings.length === 0 ? 0 : siblings.at(-1)!.priority + 1;
  const saving = usePanelSave({
    name: `branch:${webinarId}:${stored?.id ?? `from ${fromSegmentId}`}`,
    form,
    stored,
    valuesOf: toValues,
    bodyOf: toBody,
    create: (created) => branches.create.mutate({ webinarId, priority, ...created }),
    update: (changes, context) =>
      branches.update.mutate({ webinarId, branchId: stored!.id, ...changes }, { context }),
    onSaved: async () => {
      await changed();
      close({ isSaved: true });
    },
  });
  const { body } = saving;
  const { via } = form.values;
  const describe = (path: string, value: unknown): string | undefined => {
    if (path === 'conditions') return `${(value as unknown[]).length} conditions`;
    return path.endsWith('SegmentId') ? graph.segments.find(({ id }) => id === value)?.title : undefined;
  };
  const choices = graph.segments.map(({ id, title }) => ({ value: id, label: title }));
  return (
    <GraphForm
      form={form}
      saving={saving}
      noun="branch"
      storedId={stored?.id}
      labels={labels}
      describe={describe}
      apiCall={
        stored
          ? {
              operation: 'PATCH /webinars/{webinarId}/branches/{branchId}',
              params: { webinarId, branchId: stored.id },
              body,
            }
          : {
              operation: 'POST /webinars/{webinarId}/branches',
              params: { webinarId },
              body: { priority, ...body },
            }
      }
      onDirty={onDirty}
    >
      <TextInput
        {...field('label')}
        description={via === 'choice' ? 'Viewers see it as the text of the choice.' : 'For your team.'}
        maxLength={100}
        autoComplete="off"
        data-autofocus
      />
      {stored ? <SearchSelect {...field('fromSegmentId')} data={choices} /> : null}
      <SearchSelect
        {...field('toSegmentId')}
        data={choices}
        placeholder="Choose a segment"
        value={form.values.toSegmentId || null}
      />
      <Radio.Group {...field('via')}>
        <Stack gap={8} mt={4}>
          {branchKinds.map((kind) => (
            <Radio key={kind} value={kind} label={viaTexts[kind].word} description={viaTexts[kind].text} />
          ))}
        </Stack>
      </Radio.Group>
      {via === 'condition' ? (
        <ConditionsInput
          webinarId={webinarId}
          value={form.values.conditions}
          onChange={(conditions) => form.setFieldValue('conditions', conditions)}
          error={form.errors['conditions']}
          errors={form.errors}
          label={labels.conditions}
        />
      ) : null}
      {via === 'choice' ? (
        <>
          <ChoiceFields field={field} />
          <RoomPreview
            path={toPath(form.values, {
              siblings: branchesFrom(graph.branches, form.values.fromSegmentId),
              storedId: stored?.id,
            })}
            note="Over the video, with all choices of its segment."
          />
        </>
      ) : null}
    </GraphForm>
  );
}

/** The fields that only a choice has. */
const ChoiceFields = ({ field }: { field: Field }) => (
  <>
    <TextInput
      {...field('promptText')}
      placeholder="What would you like to see next?"
      maxLength={500}
      autoComplete="off"
    />
    <Group gap="sm" align="flex-start" grow>
      <PositionField
        {...field('promptAtSeconds')}
        description="A time in its segment."
        placeholder="At the end"
      />
      <NumberInput
        {...field('choiceTimeoutSeconds')}
        description="For example 15. Counted from the end of the segment, at most 300."
        inputWrapperOrder={['label', 'input', 'description', 'error']}
        min={1}
        max={300}
        allowDecimal={false}
      />
    </Group>
  </>
);
