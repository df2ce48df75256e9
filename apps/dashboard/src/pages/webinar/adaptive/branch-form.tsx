import '../../../components/choices.css';
import { Radio, Select, Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { branchKinds } from '@service/webinars/inputs';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { ConditionsInput } from '../../../components/conditions/conditions-input.tsx';
import { CopyableId } from '../../../components/copy.tsx';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { focusFirstProblem } from '../../../focus.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import type { Branch } from '../../../trpc.ts';
import { viaTexts } from './branch-texts.ts';
import { firstValues, toValues, validateBranch, type BranchValues } from './branch-values.ts';
import { ChoiceFields } from './choice-fields.tsx';
import { GraphFailure } from './graph-failure.tsx';
import { useAdaptiveSearch } from './use-adaptive-search.ts';
import { branchesFrom, type EditedGraph } from './use-graph.ts';
import { branchLabels, useSaveBranch } from './use-save-branch.ts';

interface BranchFormProps {
  graph: EditedGraph;
  /** Absent for a new one. */
  stored?: Branch;
  fromSegmentId: string;
  onDirty: (isDirty: boolean) => void;
}

export function BranchForm({ graph, stored, fromSegmentId, onDirty }: BranchFormProps) {
  const { webinarId, close } = useAdaptiveSearch();
  const siblings = branchesFrom(graph.branches, fromSegmentId);
  const form = useForm<BranchValues>({
    initialValues: stored ? toValues(stored) : firstValues(fromSegmentId, siblings),
    validate: validateBranch(webinarId, graph.segments),
    validateInputOnChange: true,
  });
  const priority = siblings.length === 0 ? 0 : siblings.at(-1)!.priority + 1;
  const { save, draft, body, isPending, error, conflict } = useSaveBranch({
    form,
    stored,
    fromSegmentId,
    priority,
    onSaved: () => close({ isSaved: true }),
  });
  const isDirty = form.isDirty();
  useReportDirty(isDirty, onDirty);
  const submit = form.onSubmit(save, focusFirstProblem);
  const { via } = form.values;
  const describe = (path: string, value: unknown): string | undefined => {
    if (path === 'conditions') return `${(value as unknown[]).length} conditions`;
    return path.endsWith('SegmentId') ? graph.segments.find(({ id }) => id === value)?.title : undefined;
  };
  const choices = graph.segments.map(({ id, title }) => ({ value: id, label: title }));
  return (
    <form onSubmit={submit} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <TextInput
          label="Name"
          description={via === 'choice' ? 'Viewers see it as the text of the choice.' : 'For your team.'}
          maxLength={100}
          autoComplete="off"
          data-autofocus
          {...form.getInputProps('label')}
        />
        {stored ? (
          <Select
            label="From"
            data={choices}
            searchable
            allowDeselect={false}
            {...form.getInputProps('fromSegmentId')}
          />
        ) : null}
        <Select
          label="Leads to"
          data={choices}
          searchable
          allowDeselect={false}
          placeholder="Choose a segment"
          {...form.getInputProps('toSegmentId')}
          value={form.values.toSegmentId || null}
        />
        <Radio.Group label="Taken by" {...form.getInputProps('via')}>
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
            label="Conditions"
          />
        ) : null}
        {via === 'choice' ? <ChoiceFields form={form} /> : null}
        {stored ? (
          <div>
            <CopyableId id={stored.id} name="branch id" />
          </div>
        ) : null}
        {error ? <GraphFailure error={error} shownPaths={Object.keys(branchLabels)} /> : null}
        <FormActions
          submit={stored ? 'Save' : 'Create branch'}
          isPending={isPending}
          isDisabled={stored !== undefined && !isDirty}
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
          onCancel={() => close()}
        />
      </Stack>
      <ConflictDialog conflict={conflict} labels={branchLabels} describe={describe} />
    </form>
  );
}
