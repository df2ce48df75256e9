import { Stack, Switch, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { InteractionType } from '@service/webinars/inputs';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import type { ApiCall } from '../../../api-call.ts';
import { ConditionsInput } from '../../../components/conditions/conditions-input.tsx';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { failureOf } from '../../../failure.ts';
import { focusFirstProblem } from '../../../focus.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import type { Interaction } from '../../../trpc.ts';
import { CardPreview } from './card-preview.tsx';
import { validateInteraction, type InteractionValues } from './form-values.ts';
import { interactionLabels } from './interaction-labels.ts';
import type { WebinarParts } from './interactions-section.tsx';
import styles from './panel.module.css';
import { TextFields } from './text-fields.tsx';
import { TimeFields } from './time-fields.tsx';
import { fieldsByType } from './type-fields.tsx';
import { useInteractionsSearch } from './use-interactions-search.ts';
import { describeInteraction, useSaveInteraction } from './use-save-interaction.ts';

/** The limit of the API. */
const conditionsMax = 10;

interface InteractionFormProps extends WebinarParts {
  type: InteractionType;
  /** Absent for a new one. */
  stored?: Interaction;
  initialValues: InteractionValues;
  onDirty: (isDirty: boolean) => void;
}

export function InteractionForm({ type, stored, initialValues, onDirty, ...parts }: InteractionFormProps) {
  const { webinarId, search, close } = useInteractionsSearch();
  const { webinar, segments } = parts;
  const durationOf = ({ segmentId }: InteractionValues): number =>
    (segments.find(({ id }) => id === segmentId) ?? webinar).durationSeconds;
  const form = useForm<InteractionValues>({
    initialValues,
    validate: (values) =>
      validateInteraction(type, { webinarId, durationSeconds: durationOf(values) })(values),
    validateInputOnChange: true,
  });
  const { save, draft, body, isPending, error, conflict } = useSaveInteraction({
    name: `interaction:${webinarId}:${stored?.id ?? `new ${search.new}`}`,
    form,
    type,
    stored,
    onSaved: () => close({ isSaved: true }),
  });
  const isDirty = form.isDirty();
  useReportDirty(isDirty, onDirty);

  const TypeFields = fieldsByType[type];
  const submit = form.onSubmit(save, focusFirstProblem);
  const shownPaths = failureOf(error)
    .issues.map(({ path }) => path)
    .filter((path) => isShown(path, type));
  return (
    <form onSubmit={submit} noValidate>
      <div className={styles['columns']}>
        <Stack gap="md" className={styles['fields']}>
          <DraftNotice draft={draft} />
          <TextFields form={form} type={type} />
          <TypeFields form={form} />
          <TimeFields
            form={form}
            {...parts}
            storedId={stored?.id}
            durationSeconds={durationOf(form.values)}
          />
          <div>
            <Text component="div" size="sm" fw={550} mb={4}>
              Shown to
            </Text>
            <Text size="xs" c="dimmed" mb={6}>
              {form.values.showWhen.length === 0
                ? 'Everyone. Add a condition to show it to some attendees only.'
                : 'Attendees who meet all of these conditions.'}
            </Text>
            <ConditionsInput
              webinarId={webinarId}
              value={form.values.showWhen}
              onChange={(showWhen) => form.setFieldValue('showWhen', showWhen)}
              error={form.errors['showWhen']}
              errors={form.errors}
              path="showWhen"
              max={conditionsMax}
              label="Conditions"
            />
          </div>
          <Switch
            label="Enabled"
            description="Attendees see it only while it is enabled."
            {...form.getInputProps('enabled', { type: 'checkbox' })}
          />
          {error ? <FailureNotice error={error} shownPaths={shownPaths} /> : null}
          <FormActions
            submit={stored ? 'Save' : 'Create'}
            isPending={isPending}
            isDisabled={stored !== undefined && !isDirty}
            apiCall={apiCallOf(stored, { webinarId, type, body })}
            onCancel={() => close()}
          />
        </Stack>
        <CardPreview type={type} values={form.values} />
      </div>
      <ConflictDialog conflict={conflict} labels={interactionLabels} describe={describeInteraction} />
    </form>
  );
}

const apiCallOf = (
  stored: Interaction | undefined,
  { webinarId, type, body }: { webinarId: string; type: InteractionType; body: object },
): ApiCall =>
  stored
    ? {
        operation: 'PATCH /webinars/{webinarId}/interactions/{interactionId}',
        params: { webinarId, interactionId: stored.id },
        body,
      }
    : {
        operation: 'POST /webinars/{webinarId}/interactions',
        params: { webinarId },
        body: { type, ...body },
      };

/** True for the path of a field that this form has. */
const isShown = (path: string, type: InteractionType): boolean => {
  const [name = ''] = path.split('.');
  return !['body', 'type', 'webinarId'].includes(name) && (type === 'poll' || name !== 'options');
};
