import { Stack, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPCClient, type WebinarMails } from '../../../trpc.ts';
import { createField, textOrNull } from '../fields.ts';
import { useMailsSearch } from '../use-tab-search.ts';
import { useMailsChanged } from './use-mails.ts';

interface SenderFormProps {
  mails: WebinarMails;
  isReadOnly: boolean;
  onDirty: (isDirty: boolean) => void;
}

const labels = { senderName: 'Name', replyTo: 'Replies to' };

const valuesOf = ({ senderName, replyTo }: WebinarMails) => ({
  senderName: senderName ?? '',
  replyTo: replyTo ?? '',
});

type SenderValues = ReturnType<typeof valuesOf>;

/** The name and the address for answers, of all e-mails of the webinar. */
export function SenderForm({ mails: stored, isReadOnly, onDirty }: SenderFormProps) {
  const { mails } = useTRPCClient();
  const { webinarId, show } = useMailsSearch();
  const changed = useMailsChanged();
  const form = useForm<SenderValues>({ initialValues: valuesOf(stored) });
  const { save, draft, body, isPending, error, conflict } = usePanelSave({
    name: `mail-sender:${webinarId}`,
    form,
    stored,
    valuesOf,
    bodyOf: ({ senderName, replyTo }: SenderValues) => ({
      senderName: textOrNull(senderName),
      replyTo: textOrNull(replyTo.trim()),
    }),
    create: async () => undefined,
    update: (changes, context) => mails.update.mutate({ webinarId, ...changes }, { context }),
    onSaved: async () => {
      await changed();
      show({ mail: undefined }, { isSaved: true });
    },
  });
  const isDirty = form.isDirty();
  useReportDirty(isDirty, onDirty);
  const field = createField(form, labels);
  return (
    <form onSubmit={form.onSubmit(save)} noValidate>
      <Stack gap="md">
        <DraftNotice draft={draft} />
        <TextInput
          {...field('senderName')}
          description="Attendees see it before the address. Empty: the name of the connection, else that of the workspace."
          autoComplete="off"
          maxLength={100}
          readOnly={isReadOnly}
          data-autofocus
          autoFocus
        />
        <TextInput
          {...field('replyTo')}
          type="email"
          description="Answers of attendees go to this address. Empty: to the address of the connection."
          autoComplete="off"
          maxLength={254}
          readOnly={isReadOnly}
        />
        {error ? <FailureNotice error={error} shownPaths={Object.keys(labels)} /> : null}
        {isReadOnly ? null : (
          <FormActions
            submit="Save"
            isPending={isPending}
            isDisabled={!isDirty}
            apiCall={{ operation: 'PATCH /webinars/{webinarId}/mails', params: { webinarId }, body }}
            onCancel={() => show({ mail: undefined })}
          />
        )}
      </Stack>
      <ConflictDialog conflict={conflict} labels={labels} />
    </form>
  );
}
