import { Button, Checkbox, Group, Select, Text, TextInput } from '@mantine/core';
import { weekdayNames } from '@service/webinars/inputs';
import { IconChevronDown, IconChevronUp, IconPlus, IconTrash } from '@service/icons';
import { useRef, useState } from 'react';
import styles from '../../../components/item-list.module.css';
import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import { instantToZonedTime } from '../../../zoned-time.ts';
import { IconAction } from '../icon-actions.tsx';
import { frequencies, recurrenceText } from './recurrence-text.ts';
import {
  toRecurrence,
  weekdaysOf,
  type RecurrenceValues,
  type ScheduleFieldsProps,
} from './schedule-values.ts';

interface RecurrenceListProps extends Pick<ScheduleFieldsProps, 'form'> {
  timezone: string;
}

const recurrencesMax = 50;
const weekMs = 7 * 24 * 3_600_000;

export function RecurrenceList({ form, timezone }: RecurrenceListProps) {
  const { recurrences } = form.values.schedule;
  /** The recurrence whose fields are shown. */
  const [open, setOpen] = useState<number>();
  const addButton = useRef<HTMLButtonElement>(null);
  const add = () => {
    form.insertListItem('schedule.recurrences', nextWeek(timezone));
    setOpen(recurrences.length);
  };
  return (
    <SettingsGroup title="Dates" text={`Sessions start at these times in ${timezone}.`}>
      <ul className={styles['list']}>
        {recurrences.map((recurrence, index) => (
          // oxlint-disable-next-line react/no-array-index-key -- a recurrence has no id
          <li key={index} className={styles['item']}>
            <RecurrenceItem
              form={form}
              index={index}
              recurrence={recurrence}
              isOpen={open === index || hasProblem(form, index)}
              onToggle={() => setOpen(open === index ? undefined : index)}
              onRemove={() => {
                form.removeListItem('schedule.recurrences', index);
                setOpen(undefined);
                addButton.current?.focus();
              }}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button
          ref={addButton}
          variant="default"
          leftSection={<IconPlus size={15} />}
          data-path="schedule"
          onClick={add}
          disabled={recurrences.length >= recurrencesMax}
        >
          Add a date
        </Button>
      </div>
    </SettingsGroup>
  );
}

interface RecurrenceFieldsProps extends Pick<ScheduleFieldsProps, 'form'> {
  index: number;
  recurrence: RecurrenceValues;
}

interface RecurrenceItemProps extends RecurrenceFieldsProps {
  isOpen: boolean;
  onToggle: () => void;
  onRemove: () => void;
}

function RecurrenceItem({ isOpen, onToggle, onRemove, ...fields }: RecurrenceItemProps) {
  const text = recurrenceText(toRecurrence(fields.recurrence));
  const Icon = isOpen ? IconChevronUp : IconChevronDown;
  return (
    <>
      <Group justify="space-between" gap="xs" wrap="nowrap">
        <Text size="sm" fw={550}>
          {text}
        </Text>
        <Group gap={4} wrap="nowrap">
          <IconAction
            icon={Icon}
            label={`Edit: ${text}`}
            iconSize={16}
            aria-expanded={isOpen}
            onClick={onToggle}
          />
          <IconAction icon={IconTrash} label={`Remove: ${text}`} iconSize={16} onClick={onRemove} />
        </Group>
      </Group>
      {isOpen ? <RecurrenceFields {...fields} /> : null}
    </>
  );
}

function RecurrenceFields({ form, index, recurrence }: RecurrenceFieldsProps) {
  const { frequency } = recurrence;
  const input = (name: keyof RecurrenceValues) => form.getInputProps(`schedule.recurrences.${index}.${name}`);
  return (
    <>
      <FieldRow>
        <Select label="Repeats" data={frequencies} allowDeselect={false} {...input('frequency')} />
        <TextInput label="Time" type="time" {...input('time')} />
      </FieldRow>
      {frequency === 'weekly' || frequency === 'biweekly' ? (
        <Checkbox.Group
          label="Days"
          description="Until you choose another one: the weekday of the first day."
          {...input('daysOfWeek')}
          value={weekdaysOf(recurrence)}
        >
          <Group gap="sm" mt={4}>
            {weekdayNames.map((name) => (
              <Checkbox
                key={name}
                value={name}
                label={name.charAt(0).toUpperCase() + name.slice(1, 3)}
                aria-label={name}
              />
            ))}
          </Group>
        </Checkbox.Group>
      ) : null}
      {frequency === 'monthly' ? (
        <NumberField
          label="Day of the month"
          description="Without one, the day of the first session. Shorter months use their last day."
          {...input('dayOfMonth')}
        />
      ) : null}
      <FieldRow>
        <TextInput label={frequency === 'once' ? 'Day' : 'First day'} type="date" {...input('startDate')} />
        {frequency === 'once' ? null : (
          <TextInput
            label="Last day"
            description="Empty means no end."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            type="date"
            {...input('endDate')}
          />
        )}
      </FieldRow>
    </>
  );
}

const hasProblem = ({ errors }: ScheduleFieldsProps['form'], index: number): boolean =>
  Object.keys(errors).some((path) => path.startsWith(`schedule.recurrences.${index}.`));

/** Once, on this weekday of next week at 18:00 in the zone of the webinar. */
function nextWeek(timezone: string): RecurrenceValues {
  const startDate = instantToZonedTime(Date.now() + weekMs, timezone).slice(0, 10);
  return { frequency: 'once', daysOfWeek: [], dayOfMonth: '', time: '18:00', startDate, endDate: '' };
}
