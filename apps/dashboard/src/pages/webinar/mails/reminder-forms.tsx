import { Group, Select } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState, type ReactNode } from 'react';
import { DialogForm, Question } from '../../../components/dialog-form.tsx';
import { NumberField } from '../../../components/number-field.tsx';
import { failureOf } from '../../../failure.ts';
import type { WebinarMails } from '../../../trpc.ts';
import { useMailsSearch } from '../use-tab-search.ts';
import { timeUnits, toMinutes, type MailSettings, type TimeBefore, type TimeUnit } from './mail-texts.ts';
import { useMailsChanged, useUpdateMails } from './use-mails.ts';

interface TimeFieldsProps extends TimeBefore {
  error?: ReactNode;
  isReadOnly?: boolean;
  /** The first field of its dialog. */
  autoFocus?: boolean;
  onChange: (time: TimeBefore) => void;
}

/** The time of a reminder: a number and its unit. */
export const TimeFields = ({
  amount,
  unit,
  error,
  isReadOnly = false,
  autoFocus,
  onChange,
}: TimeFieldsProps) => (
  <Group gap="sm" align="flex-start" grow>
    <NumberField
      label="Time before the start"
      data-path="amount"
      error={error}
      readOnly={isReadOnly}
      autoFocus={autoFocus}
      data-autofocus={autoFocus}
      value={amount}
      onChange={(next) => onChange({ amount: next, unit })}
    />
    <Select
      label="Unit"
      data={timeUnits}
      allowDeselect={false}
      disabled={isReadOnly}
      value={unit}
      onChange={(next) => onChange({ amount, unit: next as TimeUnit })}
    />
  </Group>
);

/** Adds a reminder with the default text, and opens it. */
export function AddReminder({ mails }: { mails: WebinarMails }) {
  const { show } = useMailsSearch();
  const update = useUpdateMails(mails);
  const changed = useMailsChanged();
  const [time, setTime] = useState<TimeBefore>({ amount: 3, unit: 'hours' });
  const minutesBefore = toMinutes(time);
  const { mutate, isPending, error } = useMutation({
    mutationFn: () => update({ reminders: [...mails.reminders, { minutesBefore }] }),
    onSuccess: async () => {
      await changed();
      show({ add: undefined, mail: `reminder-${minutesBefore}` });
    },
    // After a change by another person the next click is about the new list.
    onError: changed,
  });
  const issues = failureOf(error).issues;
  return (
    <DialogForm
      error={error}
      shownPaths={issues.map(({ path }) => path)}
      submit="Add reminder"
      isPending={isPending}
      onSubmit={() => mutate()}
      onCancel={() => show({ add: undefined })}
    >
      <TimeFields {...time} autoFocus error={error ? issues[0]?.message : undefined} onChange={setTime} />
    </DialogForm>
  );
}

interface RemoveReminderProps {
  mails: WebinarMails;
  reminder: MailSettings;
  onClose: () => void;
}

export function RemoveReminder({ mails, reminder, onClose }: RemoveReminderProps) {
  const update = useUpdateMails(mails);
  const changed = useMailsChanged();
  const { minutesBefore, when } = reminder;
  return (
    <Question
      text={`${when}: this reminder is not sent any more, and its text is deleted. To keep the text, switch the reminder off instead.`}
      confirm="Remove reminder"
      act={() => update({ reminders: mails.reminders.filter((one) => one.minutesBefore !== minutesBefore) })}
      changed={changed}
      onClose={onClose}
    />
  );
}
