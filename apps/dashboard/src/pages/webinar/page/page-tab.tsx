import { Textarea } from '@mantine/core';
import { SettingsGroup } from '../../../components/section.tsx';
import { RecordFormFrame } from '../../../record-form/record-form.tsx';
import type { Webinar } from '../../../trpc.ts';
import { updateCall, useWebinarForm } from '../editor/use-webinar-form.ts';
import { WebinarLoaded } from '../editor/webinar-loaded.tsx';
import { FieldList } from './field-list.tsx';
import { FormPreview } from './form-preview.tsx';
import { pageLabels, pageOf, pageToFields, type FormFieldValues } from './page-values.ts';

export const PageTab = () => <WebinarLoaded>{(webinar) => <PageForm webinar={webinar} />}</WebinarLoaded>;

function PageForm({ webinar }: { webinar: Webinar }) {
  const record = useWebinarForm({ part: 'page', webinar, valuesOf: pageOf, fieldsOf: pageToFields });
  const { form } = record;
  return (
    <RecordFormFrame
      record={record}
      name="Registration form of the webinar"
      labels={pageLabels}
      describe={describe}
      apiCall={updateCall(webinar.id, record.changes)}
    >
      <FieldList form={form} />
      <SettingsGroup title="Consent" text="A checkbox below the fields of the form.">
        <Textarea
          label={pageLabels['registrationForm.consentText']}
          description="Without a text there is no checkbox."
          autosize
          minRows={2}
          maxRows={10}
          {...form.getInputProps('registrationForm.consentText')}
        />
      </SettingsGroup>
      <FormPreview form={form.values.registrationForm} title={webinar.publicTitle ?? webinar.title} />
    </RecordFormFrame>
  );
}

function describe(path: string, value: unknown): string | undefined {
  if (path !== 'registrationForm.fields') return undefined;
  const labels = (value as FormFieldValues[]).map(({ label }) => label);
  return labels.length === 0 ? 'no fields' : labels.join(', ');
}
