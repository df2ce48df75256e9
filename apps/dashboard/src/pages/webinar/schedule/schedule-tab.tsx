import { useState } from 'react';
import { RecordFormFrame } from '../../../record-form/record-form.tsx';
import type { Webinar } from '../../../trpc.ts';
import { updateCall, useWebinarForm } from '../editor/use-webinar-form.ts';
import { WebinarLoaded } from '../editor/webinar-loaded.tsx';
import { BlackoutDates } from './blackout-dates.tsx';
import { BookingFields } from './booking-fields.tsx';
import { JustInTimeFields } from './just-in-time-fields.tsx';
import { RecurrenceList } from './recurrence-list.tsx';
import { recurrenceText } from './recurrence-text.ts';
import {
  scheduleLabels,
  scheduleOf,
  scheduleToFields,
  toRecurrence,
  type RecurrenceValues,
} from './schedule-values.ts';
import { SlotPreview } from './slot-preview.tsx';

export const ScheduleTab = () => (
  <WebinarLoaded>{(webinar) => <ScheduleForm webinar={webinar} />}</WebinarLoaded>
);

function ScheduleForm({ webinar }: { webinar: Webinar }) {
  const record = useWebinarForm({
    part: 'schedule',
    webinar,
    valuesOf: scheduleOf,
    fieldsOf: scheduleToFields,
  });
  const { form } = record;
  const [open, setOpen] = useState<number>();
  return (
    <RecordFormFrame
      record={record}
      name="Schedule of the webinar"
      labels={scheduleLabels}
      describe={describe}
      apiCall={updateCall(webinar.id, record.changes)}
    >
      <RecurrenceList form={form} timezone={webinar.timezone} open={open} onOpen={setOpen} />
      <JustInTimeFields form={form} />
      <BlackoutDates form={form} />
      <BookingFields form={form} />
      <SlotPreview schedule={form.values.schedule} webinar={webinar} />
    </RecordFormFrame>
  );
}

function describe(path: string, value: unknown): string | undefined {
  if (path !== 'schedule.recurrences') return undefined;
  const texts = (value as RecurrenceValues[]).map((recurrence) => recurrenceText(toRecurrence(recurrence)));
  return texts.length === 0 ? 'no dates' : texts.join('; ');
}
