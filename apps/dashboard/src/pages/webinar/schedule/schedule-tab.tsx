import { Select, Switch, TextInput } from '@mantine/core';
import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import { WebinarForm } from '../webinar-form.tsx';
import { BlackoutDates } from './blackout-dates.tsx';
import { RecurrenceList } from './recurrence-list.tsx';
import { recurrenceText } from './recurrence-text.ts';
import {
  scheduleLabels,
  scheduleOf,
  scheduleToFields,
  toRecurrence,
  type RecurrenceValues,
  type ScheduleFieldsProps,
} from './schedule-values.ts';
import { SlotPreview } from './slot-preview.tsx';

export const ScheduleTab = () => (
  <WebinarForm
    part="schedule"
    name="Schedule of the webinar"
    labels={scheduleLabels}
    valuesOf={scheduleOf}
    fieldsOf={scheduleToFields}
    describe={describe}
  >
    {(props) => (
      <>
        <RecurrenceList form={props.form} timezone={props.webinar.timezone} />
        <JustInTimeFields {...props} />
        <BlackoutDates form={props.form} />
        <BookingFields {...props} />
        <SlotPreview schedule={props.form.values.schedule} webinar={props.webinar} />
      </>
    )}
  </WebinarForm>
);

function describe(path: string, value: unknown): string | undefined {
  if (path !== 'schedule.recurrences') return undefined;
  const texts = (value as RecurrenceValues[]).map((recurrence) => recurrenceText(toRecurrence(recurrence)));
  return texts.length === 0 ? 'no dates' : texts.join('; ');
}

const intervals = [15, 30, 60].map((minutes) => ({ value: String(minutes), label: `${minutes} minutes` }));

function JustInTimeFields({ form, field }: ScheduleFieldsProps) {
  const { justInTime, hoursOfOperation } = form.values.schedule;
  const interval = field('schedule.justInTime.intervalMinutes');
  return (
    <SettingsGroup
      title="At any time"
      text="Beside the dates above. Sessions of these kinds are made by their first registration."
    >
      <Switch
        {...field('schedule.justInTime.isOn', 'checkbox')}
        description="The next session always starts within minutes."
      />
      {justInTime.isOn ? (
        <>
          <FieldRow>
            <Select
              {...interval}
              data={intervals}
              allowDeselect={false}
              value={String(justInTime.intervalMinutes)}
              onChange={(minutes) => interval.onChange(Number(minutes))}
            />
            <NumberField {...field('schedule.justInTime.minLeadSeconds')} suffix=" s" />
          </FieldRow>
          <Switch
            {...field('schedule.hoursOfOperation.isOn', 'checkbox')}
            description="Off: just-in-time sessions start all day."
          />
          {hoursOfOperation.isOn ? (
            <FieldRow>
              <TextInput {...field('schedule.hoursOfOperation.start')} type="time" />
              <TextInput
                {...field('schedule.hoursOfOperation.end')}
                description="An earlier time than the first is on the next day."
                inputWrapperOrder={['label', 'input', 'description', 'error']}
                type="time"
              />
            </FieldRow>
          ) : null}
        </>
      ) : null}
      <Switch
        {...field('schedule.onDemand', 'checkbox')}
        description="Attendees watch at once, whenever they register."
      />
    </SettingsGroup>
  );
}

const zoneModes = [
  { value: 'fixed', label: 'In the time zone of the webinar' },
  { value: 'viewer', label: 'In the time zone of the viewer' },
];

const BookingFields = ({ field }: ScheduleFieldsProps) => (
  <SettingsGroup title="Booking" text="How attendees see and book the times.">
    <Select
      {...field('schedule.timezoneMode')}
      description="This does not change when sessions start."
      data={zoneModes}
      allowDeselect={false}
    />
    <FieldRow>
      <NumberField {...field('schedule.slotsShown')} description="1 to 10." />
      <NumberField
        {...field('registrationForm.capacityPerSession')}
        description="Registrations without cancelled ones."
        placeholder="No limit"
        thousandSeparator=","
      />
    </FieldRow>
  </SettingsGroup>
);
