import { Stack, Textarea, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import { DraftNotice, FormActions } from '../../../components/dialog-form.tsx';
import { FailureNotice } from '../../../components/failure-notice.tsx';
import { Notice } from '../../../components/notice.tsx';
import { useReportDirty } from '../../../components/unsaved-guard.tsx';
import { failureOf } from '../../../failure.ts';
import { ConflictDialog } from '../../../record-form/conflict-dialog.tsx';
import { usePanelSave } from '../../../record-form/use-panel-save.ts';
import { useTRPCClient, type WebinarMails } from '../../../trpc.ts';
import { createField } from '../fields.ts';
import { useMailsSearch } from '../use-tab-search.ts';
import { MailPreview } from './mail-preview.tsx';
import {
  fieldOfPath,
  mailChange,
  mailsOf,
  toMinutes,
  toTimeBefore,
  type MailSettings,
  type TimeUnit,
} from './mail-texts.ts';
import styles from './mails.module.css';
import { TimeFields } from './reminder-forms.tsx';
import { useMailsChanged } from './use-mails.ts';
import { useInsertion, Variables } from './variables.tsx';

interface MailPanelBodyProps {
  mails: WebinarMails;
  /** Undefined: a reminder that does not exist any more. */
  mail: MailSettings | undefined;
  isReadOnly: boolean;
  onDirty: (isDirty: boolean) => void;
}

export function MailPanelBody({ mail, ...props }: MailPanelBodyProps) {
  if (mail) return <MailForm mail={mail} {...props} />;
  return (
    <Notice tone="warn">This reminder does not exist any more. Another person may have removed it.</Notice>
  );
}

interface MailValues {
  subject: string;
  text: string;
  /** Of a reminder. */
  amount: number | '';
  unit: TimeUnit;
}

const labels = { subject: 'Subject', text: 'Text', amount: 'Time', unit: 'Unit' };

function MailForm({ mails: stored, mail, isReadOnly, onDirty }: MailPanelBodyProps & { mail: MailSettings }) {
  const { mails } = useTRPCClient();
  const { webinarId, show } = useMailsSearch();
  const changed = useMailsChanged();
  const valuesOf = (record: WebinarMails): MailValues => {
    const { subject, text, minutesBefore = 0 } = mailsOf(record).find(({ key }) => key === mail.key) ?? mail;
    return { subject, text, ...toTimeBefore(minutesBefore) };
  };
  const form = useForm<MailValues>({ initialValues: valuesOf(stored) });
  const { save, draft, body, isPending, error, conflict } = usePanelSave({
    name: `mail:${webinarId}:${mail.key}`,
    form,
    stored,
    valuesOf,
    bodyOf: ({ subject, text, ...time }: MailValues) => ({
      subject,
      text,
      ...(mail.kind === 'reminder' && { minutesBefore: toMinutes(time) }),
    }),
    create: async () => undefined,
    update: (changes, context, from) =>
      mails.update.mutate({ webinarId, ...mailChange(from, mail, changes) }, { context }),
    onSaved: async () => {
      await changed();
      show({ mail: undefined }, { isSaved: true });
    },
    fieldOf: fieldOfPath,
  });
  const isDirty = form.isDirty();
  useReportDirty(isDirty, onDirty);
  const field = createField(form, labels);
  const { subject, text, amount, unit } = form.values;
  const insertion = useInsertion({
    paths: ['subject', 'text'],
    defaultPath: 'text',
    setValue: (path, value) => form.setFieldValue(path, value),
  });
  const isChanged = Object.keys(body).length > 0;
  return (
    <div className={styles['columns']}>
      <form onSubmit={form.onSubmit(save)} noValidate aria-label={mail.name}>
        <Stack gap="md" onFocusCapture={({ target }) => insertion.onFocus(target)}>
          <DraftNotice draft={draft} />
          {mail.kind === 'reminder' ? (
            <TimeFields
              amount={amount}
              unit={unit}
              error={form.errors['amount']}
              isReadOnly={isReadOnly}
              onChange={(time) => form.setValues(time)}
            />
          ) : null}
          <TextInput
            {...field('subject')}
            autoComplete="off"
            maxLength={200}
            readOnly={isReadOnly}
            data-autofocus
            autoFocus
          />
          <Textarea
            {...field('text')}
            description="The HTML is made from it. A line with a variable that has no value is left out."
            autosize
            minRows={10}
            maxRows={24}
            maxLength={10_000}
            readOnly={isReadOnly}
          />
          {isReadOnly ? null : <Variables variables={stored.variables} onInsert={insertion.insert} />}
          {error ? (
            <FailureNotice error={error} shownPaths={failureOf(error).issues.map(({ path }) => path)} />
          ) : null}
          {isReadOnly ? null : (
            <FormActions
              submit="Save"
              isPending={isPending}
              isDisabled={!isDirty}
              apiCall={{
                operation: 'PATCH /webinars/{webinarId}/mails',
                params: { webinarId },
                body: isChanged ? mailChange(stored, mail, body) : {},
              }}
              onCancel={() => show({ mail: undefined })}
            />
          )}
        </Stack>
        <ConflictDialog conflict={conflict} labels={labels} />
      </form>
      <MailPreview webinarId={webinarId} mail={mail} draft={{ subject, text }} />
    </div>
  );
}
