import { Stack, Switch, Text, Textarea, TextInput } from '@mantine/core';
import { showWhenMax, type InteractionType } from '@service/webinars/inputs';
import { ConditionsInput } from '../../../components/conditions/conditions-input.tsx';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { failureOf } from '../../../failure.ts';
import { focusFirstProblem } from '../../../focus.ts';
import { useCheckedForm } from '../../../record-form/checked-form.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPCClient, type Interaction } from '../../../trpc.ts';
import { createField } from '../fields.ts';
import { RoomPreview } from '../room-preview.tsx';
import { useInvalidation } from '../use-invalidation.ts';
import { useInteractionsSearch } from '../use-tab-search.ts';
import { toBody, toShown, toValues, validateInteraction, type InteractionValues } from './form-values.ts';
import styles from './interaction-panel.module.css';
import type { WebinarParts } from './interactions-section.tsx';
import { TimeFields } from './time-fields.tsx';
import { fieldsByType } from './type-fields.tsx';

/** Names of the fields, for the form and the comparison of two people's changes. */
const labels: Record<keyof InteractionValues, string> = {
  internalName: 'Name',
  headline: 'Headline',
  body: 'Text',
  segmentId: 'Segment',
  showAtSeconds: 'Appears at',
  hideAtSeconds: 'Disappears at',
  enabled: 'Enabled',
  availableInReplay: 'Also shown in the replay',
  display: 'Place',
  dismissible: 'Attendees can close it',
  showWhen: 'Shown to',
  url: 'URL',
  buttonLabel: 'Button',
  priceMinor: 'Price',
  currency: 'Currency',
  imageUrl: 'Image URL',
  productRefs: 'Products',
  couponCode: 'Coupon code',
  countdownSeconds: 'Countdown',
  options: 'Answers',
  multiple: 'More than one answer',
  results: 'Attendees see the results',
  fileName: 'File name',
  authorName: 'Author',
};

interface InteractionFormProps extends WebinarParts {
  type: InteractionType;
  /** Absent for a new one. */
  stored?: Interaction;
  initialValues: InteractionValues;
  onDirty: (isDirty: boolean) => void;
}

export function InteractionForm({ type, stored, initialValues, onDirty, ...parts }: InteractionFormProps) {
  const { interactions } = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.interactions]);
  const { webinarId, search, close } = useInteractionsSearch();
  const { webinar, segments } = parts;
  const durationOf = ({ segmentId }: InteractionValues): number =>
    (segments.find(({ id }) => id === segmentId) ?? webinar).durationSeconds;
  const form = useCheckedForm(initialValues, (values) =>
    validateInteraction(type, { webinarId, durationSeconds: durationOf(values) })(values),
  );
  const { save, draft, body, isPending, error, conflict } = usePanelSave({
    name: `interaction:${webinarId}:${stored?.id ?? `new ${search.new}`}`,
    form,
    stored,
    valuesOf: toValues,
    bodyOf: (values: InteractionValues) => toBody(type, values),
    create: (created) => interactions.create.mutate({ webinarId, type, ...created }),
    update: (changes, context) =>
      interactions.update.mutate({ webinarId, interactionId: stored!.id, ...changes }, { context }),
    onSaved: async () => {
      await changed();
      close({ isSaved: true });
    },
  });
  const isDirty = form.isDirty();
  useReportDirty(isDirty, onDirty);

  const field = createField(form, labels);
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
          <TextInput
            {...field('internalName')}
            description="For your team, rules and webhooks. Attendees never see it."
            autoComplete="off"
            maxLength={100}
            data-autofocus
            autoFocus
          />
          <TextInput
            {...field('headline')}
            label={type === 'poll' ? 'Question' : labels.headline}
            autoComplete="off"
            maxLength={200}
          />
          <Textarea {...field('body')} autosize minRows={2} maxRows={8} />
          <TypeFields form={form} field={field} />
          <TimeFields
            type={type}
            form={form}
            field={field}
            {...parts}
            storedId={stored?.id}
            durationSeconds={durationOf(form.values)}
          />
          <div>
            <Text component="div" size="sm" fw={550} mb={4}>
              {labels.showWhen}
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
              max={showWhenMax}
              label="Conditions"
            />
          </div>
          <Switch
            {...field('enabled', 'checkbox')}
            description="Attendees see it only while it is enabled."
          />
          {error ? <FailureNotice error={error} shownPaths={shownPaths} /> : null}
          <FormActions
            submit={stored ? 'Save' : 'Create'}
            isPending={isPending}
            isDisabled={stored !== undefined && !isDirty}
            apiCall={
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
                  }
            }
            onCancel={() => close()}
          />
        </Stack>
        <RoomPreview interaction={toShown(type, form.values)} note={placeText(type, form.values)} />
      </div>
      <ConflictDialog conflict={conflict} labels={labels} describe={describe} />
    </form>
  );
}

/** The values of the comparison that are no texts. */
function describe(path: string, value: unknown): string | undefined {
  if (path === 'options') return (value as InteractionValues['options']).map(({ label }) => label).join(', ');
  if (path !== 'showWhen') return undefined;
  const { length } = value as InteractionValues['showWhen'];
  return length === 0 ? 'everyone' : `attendees who meet ${length} condition${length === 1 ? '' : 's'}`;
}

/** True for the path of a field that this form has. */
const isShown = (path: string, type: InteractionType): boolean => {
  const [name = ''] = path.split('.');
  return !['body', 'type', 'webinarId'].includes(name) && (type === 'poll' || name !== 'options');
};

const placeTexts: Readonly<Record<Interaction['display'], string>> = {
  popup: 'Over the video',
  panel: 'Beside the video',
  banner: 'Under the video',
};

/** "Over the video, for everyone." */
function placeText(type: InteractionType, { display, showWhen, enabled }: InteractionValues): string {
  const place = type === 'chat' ? 'In the chat' : placeTexts[display];
  const people = showWhen.length === 0 ? 'for everyone' : 'if the conditions are met';
  return `${place}, ${people}.${enabled ? '' : ' Not shown while it is not enabled.'}`;
}
