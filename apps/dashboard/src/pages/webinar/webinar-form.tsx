import type { UseFormReturnType } from '@mantine/form';
import { UpdateWebinarInput } from '@service/webinars/inputs';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useContext, type ReactNode } from 'react';
import { useReportDirty } from '../../components/unsaved-guard.tsx';
import { RecordFormFrame } from '../../record-form/record-form.tsx';
import { useFieldFocus, useRecordForm } from '../../record-form/use-record-form.ts';
import { useTRPC, useTRPCClient, type Webinar } from '../../trpc.ts';
import { createField, type Field } from './fields.ts';
import { Skeletons } from './skeletons.tsx';
import { useInvalidation } from './use-invalidation.ts';
import { ReportUnsaved, useWebinar } from './use-webinar.ts';

export interface WebinarFieldsProps<Values> {
  form: UseFormReturnType<Values>;
  field: Field;
  webinar: Webinar;
}

interface WebinarFormProps<Values> {
  /** The tab. */
  part: string;
  /** Name of the form, for screen readers. */
  name: string;
  /** Names of the fields by path. */
  labels: Record<string, string>;
  valuesOf: (webinar: Webinar) => Values;
  /** The fields of a PATCH that the tab edits. */
  fieldsOf: (values: Values) => object;
  /** The values of the comparison of two edits that are no texts. */
  describe?: (path: string, value: unknown) => string | undefined;
  children: (props: WebinarFieldsProps<Values>) => ReactNode;
}

/** The form of some fields of the webinar in the URL. The page above shows the failure of its query. */
export function WebinarForm<Values extends object>(props: WebinarFormProps<Values>) {
  const webinar = useWebinar().data?.data;
  if (webinar) return <LoadedForm {...props} webinar={webinar} />;
  return <Skeletons gap="lg" aria-label="Loading" parts={[[140], [220], [180]]} />;
}

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId');

function LoadedForm<Values extends object>({
  part,
  webinar,
  valuesOf,
  fieldsOf,
  children,
  ...frame
}: WebinarFormProps<Values> & { webinar: Webinar }) {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const changed = useInvalidation((trpc) => [trpc.webinars, trpc.sessions]);
  const search = route.useSearch();
  const navigate = useNavigate();
  const address = { webinarId: webinar.id };
  const record = useRecordForm({
    valuesOf,
    fieldsOf,
    name: `webinar-${part}:${webinar.id}`,
    record: webinar,
    schema: UpdateWebinarInput,
    address,
    // The form has checked the fields with the schema.
    save: (changes, context) => client.webinars.update.mutate({ ...address, ...changes }, { context }),
    onSaved: (saved) => {
      queryClient.setQueryData(trpc.webinars.get.queryKey(address), { data: saved });
      void changed();
    },
  });
  useFieldFocus(
    search.field,
    () => void navigate({ to: '.', search: (before) => ({ ...before, field: undefined }), replace: true }),
  );
  useReportDirty(record.isDirty, useContext(ReportUnsaved));
  const { form, changes } = record;
  return (
    <RecordFormFrame
      {...frame}
      record={record}
      apiCall={{ operation: 'PATCH /webinars/{webinarId}', params: address, body: changes }}
    >
      {children({ form, field: createField(form, frame.labels), webinar })}
    </RecordFormFrame>
  );
}
