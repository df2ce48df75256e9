import { NumberField } from '../../../components/number-field.tsx';
import { FieldRow, SettingsGroup } from '../../../components/section.tsx';
import type { Webinar } from '../../../trpc.ts';
import type { DetailsFieldsProps } from './basic-fields.tsx';
import { detailsLabels as labels } from './details-values.ts';
import { WindowField } from './window-field.tsx';

export const AttendanceFields = ({ form, webinar }: DetailsFieldsProps & { webinar: Webinar }) => (
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
      <WindowField form={form} webinar={webinar} />
    </FieldRow>
  </SettingsGroup>
);
