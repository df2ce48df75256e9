import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/settings-group.tsx';
import type { DetailsFieldsProps } from './basic-fields.tsx';
import { detailsLabels as labels } from './details-values.ts';

export const AttendanceFields = ({ form }: DetailsFieldsProps) => (
  <SettingsGroup
    title="Attendance and revenue"
    text="These numbers decide when an attendee counts as attended, as a no-show, and as the source of a purchase."
  >
    <FieldRow>
      <NumberField
        label={labels['attendance.minSeconds']}
        description="Seconds an attendee must watch to count as attended."
        suffix=" s"
        {...form.getInputProps('attendance.minSeconds')}
      />
      <NumberField
        label={labels['attendance.completionPercent']}
        description="Percent of the video an attendee must watch to complete it."
        suffix=" %"
        {...form.getInputProps('attendance.completionPercent')}
      />
    </FieldRow>
    <FieldRow>
      <NumberField
        label={labels['attendance.noShowGraceMinutes']}
        description="Minutes after the end until absent attendees count as no-shows."
        suffix=" min"
        {...form.getInputProps('attendance.noShowGraceMinutes')}
      />
      <NumberField
        label={labels['attribution.windowDays']}
        description="Days for which a purchase is credited to this webinar."
        suffix=" days"
        {...form.getInputProps('attribution.windowDays')}
      />
    </FieldRow>
  </SettingsGroup>
);
