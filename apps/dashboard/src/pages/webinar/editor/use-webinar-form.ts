import { UpdateWebinarInput } from '@service/webinars/inputs';
import { useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import type { ApiCall } from '../../../api-call.ts';
import type { Failure } from '../../../failure.ts';
import { useFieldFocus, useRecordForm, type RecordForm } from '../../../record-form/use-record-form.ts';
import { useTRPC, useTRPCClient, type Webinar } from '../../../trpc.ts';

interface WebinarFormOptions<Values> {
  /** The tab. */
  part: string;
  webinar: Webinar;
  valuesOf: (webinar: Webinar) => Values;
  /** The fields of a PATCH that the tab edits. */
  fieldsOf: (values: Values) => object;
}

const route = getRouteApi('/w/$workspaceId/webinars/$webinarId');

/** The form of some fields of a webinar. */
export function useWebinarForm<Values extends object>({
  part,
  webinar,
  ...fields
}: WebinarFormOptions<Values>): RecordForm<Values> {
  const trpc = useTRPC();
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { field } = route.useSearch();
  const navigate = useNavigate();
  const address = { webinarId: webinar.id };
  const record = useRecordForm({
    ...fields,
    name: `webinar-${part}:${webinar.id}`,
    record: webinar,
    schema: UpdateWebinarInput,
    address,
    // The form has checked the fields with the schema.
    save: (changes, context) => client.webinars.update.mutate({ ...address, ...changes }, { context }),
    onSaved: (saved) => {
      queryClient.setQueryData(trpc.webinars.get.queryKey(address), { data: saved });
      void queryClient.invalidateQueries(trpc.webinars.pathFilter());
      void queryClient.invalidateQueries(trpc.sessions.pathFilter());
    },
    errorsOf,
  });
  useFieldFocus(
    field,
    () => void navigate({ to: '.', search: (before) => ({ ...before, field: undefined }), replace: true }),
  );
  return record;
}

/** The call that saves the changed fields. */
export const updateCall = (webinarId: string, body: object): ApiCall => ({
  operation: 'PATCH /webinars/{webinarId}',
  params: { webinarId },
  body,
});

const errorsOf = ({ code, message }: Failure): Record<string, string> =>
  code === 'webinar_slug_taken' ? { slug: message } : {};
