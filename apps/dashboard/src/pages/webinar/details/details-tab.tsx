import { RecordFormFrame } from '../../../record-form/record-form.tsx';
import type { Webinar } from '../../../trpc.ts';
import { updateCall, useWebinarForm } from '../editor/use-webinar-form.ts';
import { WebinarLoaded } from '../editor/webinar-loaded.tsx';
import { AttendanceFields } from './attendance-fields.tsx';
import { BasicFields } from './basic-fields.tsx';
import { detailsLabels, detailsOf, detailsToFields } from './details-values.ts';
import { RoomFields } from './room-fields.tsx';
import { VideoFields } from './video-fields.tsx';

export const DetailsTab = () => (
  <WebinarLoaded>{(webinar) => <DetailsForm webinar={webinar} />}</WebinarLoaded>
);

function DetailsForm({ webinar }: { webinar: Webinar }) {
  const record = useWebinarForm({ part: 'details', webinar, valuesOf: detailsOf, fieldsOf: detailsToFields });
  const { form } = record;
  return (
    <RecordFormFrame
      record={record}
      name="Details of the webinar"
      labels={detailsLabels}
      apiCall={updateCall(webinar.id, record.changes)}
    >
      <BasicFields form={form} />
      <VideoFields form={form} />
      <RoomFields form={form} />
      <AttendanceFields form={form} webinar={webinar} />
    </RecordFormFrame>
  );
}
