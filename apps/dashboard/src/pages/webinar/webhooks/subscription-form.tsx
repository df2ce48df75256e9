import { TextInput } from '@mantine/core';
import { isNotEmpty, useForm } from '@mantine/form';
import { notifications } from '@mantine/notifications';
import { DialogForm } from '../../../components/dialog-form.tsx';
import { UnsavedGuard } from '../../../components/unsaved-guard.tsx';
import { focusFirstProblem } from '../../../focus.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPCClient, type Webhook } from '../../../trpc.ts';
import { subscriptionName } from '../../source/source.ts';
import { UrlField } from '../../source/url-field.tsx';
import { useInvalidation } from '../use-invalidation.ts';
import { EventTypesInput } from './event-types-input.tsx';

export interface NewSecret {
  /** The name of the subscription. */
  name: string;
  secret: string;
}

interface SubscriptionFormProps {
  webinarId: string;
  /** Absent for a new subscription. */
  stored?: Webhook;
  /** Called with the secret of a new subscription. */
  onCreated?: (created: NewSecret) => void;
  onClose: () => void;
}

/** The fields with the paths of their problems. */
const labels: Record<keyof SubscriptionValues, string> = {
  url: 'Endpoint URL',
  description: 'Description',
  eventTypes: 'Event types',
};
const descriptionMax = 200;

/** Creates and changes a subscription. */
export function SubscriptionForm({ webinarId, stored, onCreated, onClose }: SubscriptionFormProps) {
  const form = useForm<SubscriptionValues>({
    initialValues: stored ? toValues(stored) : { url: '', description: '', eventTypes: [] },
    validate: {
      url: isNotEmpty('Enter the URL of your endpoint.'),
      eventTypes: ({ length }) => (length === 0 ? 'Choose at least one event type.' : null),
    },
  });
  const { webhooks } = useTRPCClient();
  const changed = useInvalidation((trpc) => [trpc.webhooks]);
  const { save, draft, body, isPending, error, conflict } = usePanelSave({
    name: `subscription:${stored?.id ?? `new:${webinarId}`}`,
    form,
    stored,
    valuesOf: toValues,
    bodyOf: toBody,
    async create(fields) {
      const { data } = await webhooks.create.mutate({ webinarId, ...fields });
      // Not an answer of the mutation: the secret must not stay in its cache.
      onCreated?.({ name: subscriptionName(data), secret: data.secret });
    },
    async update(changes, context) {
      const { data } = await webhooks.update.mutate(
        { webinarId, webhookId: stored!.id, ...changes },
        { context },
      );
      notifications.show({ message: `“${subscriptionName(data)}” is saved.` });
    },
    async onSaved() {
      await changed();
      if (stored) onClose();
    },
  });
  return (
    <DialogForm
      draft={draft}
      submit={stored ? 'Save' : 'Create subscription'}
      isPending={isPending}
      error={error}
      shownPaths={Object.keys(labels)}
      apiCall={
        stored
          ? {
              operation: 'PATCH /webinars/{webinarId}/webhooks/{webhookId}',
              params: { webinarId, webhookId: stored.id },
              body,
            }
          : { operation: 'POST /webinars/{webinarId}/webhooks', params: { webinarId }, body }
      }
      onSubmit={form.onSubmit(save, focusFirstProblem)}
      onCancel={onClose}
    >
      <UnsavedGuard
        isDirty={form.isDirty() && !isPending}
        isOpenWith={({ dialog }) => dialog === (stored ? 'edit' : 'create')}
      />
      <UrlField
        data-autofocus
        autoFocus
        {...form.getInputProps('url')}
        value={form.values.url}
        stored={stored && { kind: 'webhook', webinarId, id: stored.id, url: stored.url }}
      />
      <TextInput
        label={labels.description}
        description="Optional. The name of this subscription in lists and mails."
        placeholder="CRM, production"
        autoComplete="off"
        maxLength={descriptionMax}
        {...form.getInputProps('description')}
      />
      <EventTypesInput
        value={form.values.eventTypes}
        onChange={(types) => form.setFieldValue('eventTypes', types)}
        error={form.errors['eventTypes']}
      />
      <ConflictDialog conflict={conflict} labels={labels} />
    </DialogForm>
  );
}

type SubscriptionValues = ReturnType<typeof toValues>;

const toValues = ({ url, description, eventTypes }: Webhook) => ({
  url,
  description: description ?? '',
  eventTypes,
});

const toBody = ({ url, description, eventTypes }: SubscriptionValues) => ({
  url: url.trim(),
  description: description.trim() || null,
  eventTypes,
});
