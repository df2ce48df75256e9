import { Select } from '@mantine/core';
import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import type { ScheduleFieldsProps } from './just-in-time-fields.tsx';
import { scheduleLabels as labels } from './schedule-values.ts';

const zoneModes = [
  { value: 'fixed', label: 'In the time zone of the webinar' },
  { value: 'viewer', label: 'In the time zone of the viewer' },
];

export const BookingFields = ({ form }: ScheduleFieldsProps) => (
  <SettingsGroup title="Booking" text="How attendees see and book the times.">
    <Select
      label={labels['schedule.timezoneMode']}
      description="This does not change when sessions start."
      data={zoneModes}
      allowDeselect={false}
      {...form.getInputProps('schedule.timezoneMode')}
    />
    <FieldRow>
      <NumberField
        label={labels['schedule.slotsShown']}
        description="1 to 10."
        {...form.getInputProps('schedule.slotsShown')}
      />
      <NumberField
        label={labels['registrationForm.capacityPerSession']}
        description="Registrations without cancelled ones."
        placeholder="No limit"
        thousandSeparator=","
        {...form.getInputProps('registrationForm.capacityPerSession')}
      />
    </FieldRow>
  </SettingsGroup>
);
