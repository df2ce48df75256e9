import { Checkbox, Group, Select, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { weekdayNames } from '@service/webinars/inputs';
import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow } from '../../../components/section.tsx';
import type { RecurrenceValues, ScheduleValues } from './schedule-values.ts';

interface RecurrenceFieldsProps {
  form: UseFormReturnType<ScheduleValues>;
  index: number;
  recurrence: RecurrenceValues;
}

const frequencies = [
  { value: 'once', label: 'Once' },
  { value: 'daily', label: 'Every day' },
  { value: 'weekdays', label: 'Monday to Friday' },
  { value: 'weekly', label: 'Every week' },
  { value: 'biweekly', label: 'Every second week' },
  { value: 'monthly', label: 'Every month' },
];

export function RecurrenceFields({ form, index, recurrence: { frequency } }: RecurrenceFieldsProps) {
  const path = (name: keyof RecurrenceValues) => `schedule.recurrences.${index}.${name}` as const;
  return (
    <>
      <FieldRow>
        <Select
          label="Repeats"
          data={frequencies}
          allowDeselect={false}
          {...form.getInputProps(path('frequency'))}
        />
        <TextInput label="Time" type="time" {...form.getInputProps(path('time'))} />
      </FieldRow>
      {frequency === 'weekly' || frequency === 'biweekly' ? (
        <Checkbox.Group
          label="Days"
          description="Without one, the weekday of the first day."
          {...form.getInputProps(path('daysOfWeek'))}
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
          {...form.getInputProps(path('dayOfMonth'))}
        />
      ) : null}
      <FieldRow>
        <TextInput
          label={frequency === 'once' ? 'Day' : 'First day'}
          type="date"
          {...form.getInputProps(path('startDate'))}
        />
        {frequency === 'once' ? null : (
          <TextInput
            label="Last day"
            description="Empty means no end."
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            type="date"
            {...form.getInputProps(path('endDate'))}
          />
        )}
      </FieldRow>
    </>
  );
}
