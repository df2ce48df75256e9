import { Select, Switch, TextInput } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import { scheduleLabels as labels, type ScheduleValues } from './schedule-values.ts';

export interface ScheduleFieldsProps {
  form: UseFormReturnType<ScheduleValues>;
}

const intervals = [15, 30, 60].map((minutes) => ({ value: String(minutes), label: `${minutes} minutes` }));

export function JustInTimeFields({ form }: ScheduleFieldsProps) {
  const { justInTime, hoursOfOperation } = form.values.schedule;
  const interval = form.getInputProps('schedule.justInTime.intervalMinutes');
  return (
    <SettingsGroup
      title="At any time"
      text="Beside the dates above. Sessions of these kinds are made by their first registration."
    >
      <Switch
        label={labels['schedule.justInTime.isOn']}
        description="The next session always starts within minutes."
        {...form.getInputProps('schedule.justInTime.isOn', { type: 'checkbox' })}
      />
      {justInTime.isOn ? (
        <>
          <FieldRow>
            <Select
              label={labels['schedule.justInTime.intervalMinutes']}
              data={intervals}
              allowDeselect={false}
              {...interval}
              value={String(justInTime.intervalMinutes)}
              onChange={(minutes) => interval.onChange(Number(minutes))}
            />
            <NumberField
              label={labels['schedule.justInTime.minLeadSeconds']}
              suffix=" s"
              {...form.getInputProps('schedule.justInTime.minLeadSeconds')}
            />
          </FieldRow>
          <Switch
            label={labels['schedule.hoursOfOperation.isOn']}
            description="Off: just-in-time sessions start all day."
            {...form.getInputProps('schedule.hoursOfOperation.isOn', { type: 'checkbox' })}
          />
          {hoursOfOperation.isOn ? (
            <FieldRow>
              <TextInput
                label={labels['schedule.hoursOfOperation.start']}
                type="time"
                {...form.getInputProps('schedule.hoursOfOperation.start')}
              />
              <TextInput
                label={labels['schedule.hoursOfOperation.end']}
                description="An earlier time than the first is on the next day."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                type="time"
                {...form.getInputProps('schedule.hoursOfOperation.end')}
              />
            </FieldRow>
          ) : null}
        </>
      ) : null}
      <Switch
        label={labels['schedule.onDemand']}
        description="Attendees watch at once, whenever they register."
        {...form.getInputProps('schedule.onDemand', { type: 'checkbox' })}
      />
    </SettingsGroup>
  );
}
